"""Pictures of the window as small files: few colours, each of which stands for those next to it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtGui import QColor, QImage, QImageWriter, qRgb


def save_small(image: QImage, path: Path, colours: int) -> None:
    """Writes a PNG with a palette of the colours that cover most, every other pixel taking the nearest of them.

    A window is made of few plain colours and the blends at the edges of letters; some dozens of them are enough.
    """
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    width, height = plain.width(), plain.height()
    pixels = np.frombuffer(plain.constBits(), np.uint32).reshape(height, plain.bytesPerLine() // 4)[:, :width]
    found, places, counts = np.unique(pixels & 0xFFFFFF, return_inverse=True, return_counts=True)
    rgb = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=1).astype(np.float32)
    chosen = _spread(rgb, counts, colours)
    nearest = np.concatenate(
        [
            ((part[:, None] - rgb[chosen]) ** 2).sum(axis=2).argmin(axis=1)
            for part in np.array_split(rgb, 1 + len(rgb) // 4096)
        ]
    )
    indexed = QImage(width, height, QImage.Format.Format_Indexed8)
    indexed.setColorTable([qRgb(*map(int, rgb[one])) for one in chosen])
    np.frombuffer(indexed.bits(), np.uint8).reshape(height, indexed.bytesPerLine())[:, :width] = nearest[
        places
    ].reshape(height, width)
    writer = QImageWriter(str(path), b"png")
    writer.setCompression(100)
    if not writer.write(indexed):
        raise OSError(f"{path} cannot be written: {writer.errorString()}")


def share_of(image: QImage, colour: QColor) -> float:
    """The share of pixels in exactly this colour, of every third one."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), np.uint32).reshape(plain.height(), plain.bytesPerLine() // 4)
    return float(np.mean(pixels[::3, : plain.width() : 3] & 0xFFFFFF == colour.rgb() & 0xFFFFFF))


def _spread(rgb: np.ndarray, counts: np.ndarray, colours: int) -> list[int]:
    """The most frequent colour, then again and again the one that is worst served: by its distance and frequency."""
    weights = np.sqrt(counts.astype(np.float32))
    chosen = [int(counts.argmax())]
    distance = ((rgb - rgb[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < min(colours, len(rgb)):
        chosen.append(int((distance * weights).argmax()))
        distance = np.minimum(distance, ((rgb - rgb[chosen[-1]]) ** 2).sum(axis=1))
    return chosen
