# Every target sets up what it needs in $(VENV) by itself; a second call reinstalls nothing.
PYTHON ?= python3
VENV ?= .venv
DATA ?= data
BIN := $(VENV)/bin

.PHONY: demo test coverage bench lint train pictures clean

demo: $(VENV)/.ready
	$(BIN)/rollwrite scan samples/game-1/*.jpg --game --overlay out/demo

test: $(VENV)/.ready-dev
	$(BIN)/python -m pytest

coverage: $(VENV)/.ready-dev
	@mkdir -p out
	$(BIN)/python -m coverage run --branch --source=scoring --data-file=out/coverage -m pytest tests/scoring
	$(BIN)/python -m coverage report --data-file=out/coverage --skip-covered --show-missing --fail-under=100

bench: $(VENV)/.ready
	$(BIN)/python -m bench

lint: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

train: $(VENV)/.ready-train
	$(BIN)/python -m training $(DATA)

pictures: $(VENV)/.ready-dev
	$(BIN)/python docs/pictures.py

clean:
	rm -rf $(VENV) out build dist

$(BIN)/python:
	@echo "Setting up $(VENV), once ..."
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.ready-dev $(VENV)/.ready-train: $(VENV)/.ready-%: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $(VENV)/.ready $@
