"""The values of a dictation: model, view, detail pane, editors, what was held back."""
