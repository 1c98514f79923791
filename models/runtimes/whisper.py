"""Whisper on CTranslate2 through faster-whisper: detects speech in samples and transcribes it."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.errors import GpuError, ModelFileError

if TYPE_CHECKING:
    import numpy as np
    from faster_whisper import WhisperModel
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

SAMPLE_RATE = 16_000
# Length of a window. Whisper could take 30 s, but half of that is about as accurate (209 errors in 2,135 words of 14
# spoken dictations, against 199), and a word waits less long for the end of its window.
WINDOW_SECONDS = 15.0
# Spans of speech begin and end at multiples of this many samples (8 frames of speech detection): the start of detection
# shifts its results by some hundredths of a second, and with them what Whisper writes.
SPEECH_GRID = 4096
_PAUSE_MS = 500  # a pause that ends a span of speech
_SHORT_PAUSE_MS = 200  # a pause longer than the gap between two words
_MARGIN_MS = 300  # kept on both sides, so that soft first and last sounds are not cut
# Silence after the samples of a short window, in frames of 10 ms: without it, Whisper repeats the last word forever.
_MARGIN_FRAMES = 200
# Nobody speaks faster, but Whisper repeats itself at a truncated word, especially in a short window. The number of
# tokens allowed per window, and per second of it.
_MOST_TOKENS, _MOST_TOKENS_OF_SHORT = (8, 8.0), (4, 5.0)


@dataclass(frozen=True, slots=True)
class HeardWord:
    """A word with its times in seconds from the start of the samples, and its probability."""

    text: str
    start: float
    end: float
    probability: float


@dataclass(frozen=True, slots=True)
class WhisperText:
    """Whisper's output for one window.

    Attributes:
        log_probability: mean over the tokens, natural logarithm.
        no_speech_probability: Whisper's own estimate that nobody speaks, 0 to 1.
        repetition: compression ratio of the text; ordinary speech stays below 2.
        words: empty unless requested, see `AudioWindow.timed`.
        tokens: the generated token ids.
    """

    text: str
    log_probability: float
    no_speech_probability: float
    repetition: float
    words: tuple[HeardWord, ...] = ()
    tokens: tuple[int, ...] = ()


class WhisperRuntime:
    """A loaded Whisper model.

    Attributes:
        name: id of the model (the name of its folder).
        device: 'cpu' or 'cuda'.
        compute_type: the arithmetic, such as 'int8'.
        at_once: how many windows it can process in parallel, each requested by a thread of the caller.
    """

    def __init__(
        self, folder: Path, device: str = "cpu", threads: int = 1, at_once: int = 1, language: str = "en"
    ) -> None:
        """Loads a CTranslate2 folder, never from a network.

        Args:
            folder: verified files of the model.
            device: 'cpu' or 'cuda', see `models.runtimes.placement`.
            threads: processor threads per window.
            at_once: see above; always 1 on a GPU.
            language: of the speech.

        Raises:
            ModelFileError: the folder holds no usable model, or the GPU cannot hold it.
            GpuError: the GPU cannot run it. So does every method that runs the model.
        """
        from faster_whisper.tokenizer import Tokenizer
        from faster_whisper.transcribe import get_suppressed_tokens

        self.name = folder.name
        self.device = device
        self.at_once = at_once if device == "cpu" else 1
        self._model = _load(folder, device, threads, self.at_once)
        if device != "cpu":
            self._try_out()
        self.compute_type: str = self._model.model.compute_type
        self.language = language
        self._tokenizer = Tokenizer(
            self._model.hf_tokenizer, self._model.model.is_multilingual, task="transcribe", language=language
        )
        self._suppressed = get_suppressed_tokens(self._tokenizer, [-1])

    def _try_out(self) -> None:
        """Runs the model once: the GPU's libraries load on first use, so a driver that cannot run them fails here."""
        import numpy as np

        with on_device(self.device):
            self._model.encode(np.zeros((self._model.model.n_mels, 3000), dtype=np.float32))

    def speech(self, samples: Samples) -> list[tuple[int, int]]:
        """Spans of speech as [start, end) sample numbers, multiples of SPEECH_GRID except at the very end.

        Empty for silence and noise. No span is longer than a window by more than a multiple.
        """
        found, reached = [], 0
        for begin, end in _speech(samples, _PAUSE_MS):
            start = max(begin // SPEECH_GRID * SPEECH_GRID, reached)
            reached = min(-(-end // SPEECH_GRID) * SPEECH_GRID, len(samples))
            if start < reached:
                found.append((start, reached))
        return found

    def last_pause(self, samples: Samples) -> int:
        """Sample number in the middle of the last pause between words, even a short one; 0 without a pause."""
        return max((start for start, _ in _speech(samples, _SHORT_PAUSE_MS)[1:]), default=0)

    def listen(self, samples: Samples, *, short: bool = False) -> AudioWindow:
        """Encodes up to WINDOW_SECONDS of samples once, for transcription with one or several prompts.

        `short` omits most of the silence with which Whisper pads to 30 s. It is proportionally faster, but suggested
        terms help less.
        """
        features = self._model.feature_extractor(samples)[..., :-1]
        return AudioWindow(self, samples, features, short=short)

    def pieces(self, word: str) -> int:
        """How many tokens Whisper needs to write a word; a word frequent in its training needs one."""
        return len(self._model.hf_tokenizer.encode(f" {word}", add_special_tokens=False).ids)


class AudioWindow:
    """Encoded samples; created by `WhisperRuntime.listen`."""

    def __init__(
        self, runtime: WhisperRuntime, samples: Samples, features: NDArray[np.float32], *, short: bool
    ) -> None:
        from faster_whisper.audio import pad_or_trim

        self._runtime = runtime
        self._frames = features.shape[-1]
        fewest, per_second = _MOST_TOKENS_OF_SHORT if short else _MOST_TOKENS
        self._seconds = len(samples) / SAMPLE_RATE
        self._most_tokens = round(fewest + per_second * self._seconds)
        whole = runtime._model.feature_extractor.nb_max_frames
        length = min(self._frames + _MARGIN_FRAMES, whole) // 2 * 2 if short else whole
        with on_device(runtime.device):
            self._encoded = runtime._model.encode(pad_or_trim(features, length))

    def write(self, *, beam: int = 1, prompt: str | None = None, no_repeat: int = 0) -> WhisperText:
        """Transcribes the window.

        Args:
            beam: number of hypotheses kept.
            prompt: text treated as if said before; its words and style are favoured.
            no_repeat: forbids repeating this many tokens in a row; 0 permits it.
        """
        model, tokenizer = self._runtime._model, self._runtime._tokenizer
        begin = model.get_prompt(tokenizer, [], without_timestamps=True, hotwords=prompt)
        with on_device(self._runtime.device):
            result = model.model.generate(
                self._encoded,
                [begin],
                beam_size=beam,
                no_repeat_ngram_size=no_repeat,
                max_length=min(len(begin) + self._most_tokens, model.max_length),
                suppress_tokens=self._runtime._suppressed,
                return_scores=True,
                return_no_speech_prob=True,
            )[0]
        tokens = result.sequences_ids[0]
        text = tokenizer.decode(tokens).strip()
        raw = text.encode()
        return WhisperText(
            text=text,
            # CTranslate2 divides by the length without the end token, which is in the sum.
            log_probability=result.scores[0] * len(tokens) / (len(tokens) + 1),
            no_speech_probability=result.no_speech_prob,
            repetition=len(raw) / len(zlib.compress(raw)),
            tokens=tuple(tokens),
        )

    def timed(self, heard: WhisperText) -> WhisperText:
        """Adds each word's times and probability to a transcription."""
        return replace(heard, words=self._words(heard.tokens)) if heard.text else heard

    def _words(self, tokens: Sequence[int]) -> tuple[HeardWord, ...]:
        segment: dict[str, Any] = {"seek": 0, "start": 0.0, "end": self._seconds, "tokens": list(tokens)}
        with on_device(self._runtime.device):
            self._runtime._model.add_word_timestamps(
                [[segment]],
                self._runtime._tokenizer,
                self._encoded,
                self._frames,
                "\"'“¿([{-",
                "\"'.。,，!！?？:：”)]}、",
                0.0,
            )
        return tuple(
            HeardWord(word["word"].strip(), float(word["start"]), float(word["end"]), float(word["probability"]))
            for word in segment.get("words", ())
            if word["word"].strip()
        )


def _speech(samples: Samples, pause_ms: int) -> list[tuple[int, int]]:
    """Spans of speech between pauses of that length, as [start, end) sample numbers."""
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    options = VadOptions(
        max_speech_duration_s=WINDOW_SECONDS,
        min_speech_duration_ms=100,
        min_silence_duration_ms=pause_ms,
        speech_pad_ms=_MARGIN_MS,
    )
    return [(int(span["start"]), int(span["end"])) for span in get_speech_timestamps(samples, options)]


@contextmanager
def on_device(device: str) -> Iterator[None]:
    """Wraps work on a device. Raises GpuError where CTranslate2 says that the GPU failed."""
    try:
        yield
    except RuntimeError as error:
        if device == "cpu":
            raise
        raise GpuError(f"The graphics card failed in speech recognition: {error}.") from error


def _load(folder: Path, device: str, threads: int, at_once: int) -> WhisperModel:
    import ctranslate2
    from faster_whisper import WhisperModel

    supported = ctranslate2.get_supported_compute_types(device)
    wanted = ("float16", "int8_float16", "int8", "float32") if device == "cuda" else ("int8", "float32")
    compute_type = next(kind for kind in wanted if kind in supported)
    try:
        return WhisperModel(
            str(folder),
            device=device,
            compute_type=compute_type,
            cpu_threads=threads,
            num_workers=at_once,
            local_files_only=True,
        )
    except (RuntimeError, ValueError, OSError) as error:
        raise ModelFileError(
            f"The speech model in {folder} cannot be loaded: {error}.", "Install it again: wardlight models install."
        ) from error
