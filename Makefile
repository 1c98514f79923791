# Everything goes through the bootstrap first: it sets up what is missing and is done at once when nothing is.
PYTHON ?= python3
BOOTSTRAP = @$(PYTHON) packaging/bootstrap.py
RUN = .venv/bin

.PHONY: help demo gui test test-models check bench screens clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    set up Wardlight and run it on the sample dictation"
	@echo "make gui     open the window"
	@echo "make test    check, then run the tests"
	@echo "make test-models  run every test of the real models"
	@echo "make check   format, lint, types, direction of imports"
	@echo "make bench   measure speed and memory, on an otherwise idle machine"
	@echo "make screens make the pictures of every view in build/screens"
	@echo "make clean   delete the environment and everything made here; models and compiled packages stay"

demo:
	$(BOOTSTRAP) demo
	@$(RUN)/wardlight demo

gui:
	$(BOOTSTRAP) gui
	@$(RUN)/wardlight gui

test: check
	$(BOOTSTRAP) test
	@$(RUN)/pytest --numprocesses 2 --dist loadfile

test-models:
	$(BOOTSTRAP) models
	@$(RUN)/pytest -m models

check:
	$(BOOTSTRAP) check
	@$(RUN)/ruff format --check .
	@$(RUN)/ruff check .
	@$(RUN)/mypy
	@$(RUN)/mypy packaging/bootstrap.py
	@$(RUN)/lint-imports

screens:
	$(BOOTSTRAP) screens
	@$(RUN)/python -m tests.screens

bench:
	$(BOOTSTRAP) bench
	@$(RUN)/python -m tests.benchmarks.run; missed=$$?; $(RUN)/pytest -m speed -rP && exit $$missed

clean:
	rm -rf .venv build dist out ./*.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
