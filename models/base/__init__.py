"""What every package uses: the hierarchy of errors, progress, files that are written whole, phonetics, no network."""
