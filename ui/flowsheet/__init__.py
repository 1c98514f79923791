"""The values of a dictation: model, view, detail pane, editors, held-back values."""
