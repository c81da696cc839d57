# make demo: from nothing to a cited brief.   make test: from nothing to a tested build.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
SAMPLES := build/samples
SOURCES := $(shell find app engine ingest ui native sample_docs -type f -not -name '*.pyc') pyproject.toml
SAMPLE := $(SAMPLES)/supply_agreement_v1.pdf

.PHONY: demo test lint format sanitize dev bench-quick clean
.DELETE_ON_ERROR:

demo: $(VENV)/demo.stamp $(SAMPLE)
	@$(BIN)/longleaf models pull --defaults
	@$(BIN)/longleaf summarize $(SAMPLE)
	@echo
	@echo "To read it beside its pages, open the UI:  $(BIN)/longleaf ui $(SAMPLE)"

test: $(VENV)/test.stamp $(SAMPLE)
	$(BIN)/longleaf models pull --defaults smollm2-135m-instruct
	$(BIN)/python -m pytest

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	cd build && ../$(BIN)/mypy --config-file ../pyproject.toml -p longleaf
	$(BIN)/lint-imports
	find native tests/native -name '*.h' -o -name '*.cpp' | xargs $(BIN)/clang-format --dry-run -Werror

format: $(VENV)/test.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	find native tests/native -name '*.h' -o -name '*.cpp' | xargs $(BIN)/clang-format -i

# The native core and its own tests under AddressSanitizer and UndefinedBehaviorSanitizer.
sanitize: $(VENV)/test.stamp
	$(BIN)/python -m pip install --quiet "cmake>=3.22" "ninja>=1.11"
	PATH="$(CURDIR)/$(BIN):$$PATH" .ci/sanitize

# For work on the code: builds into build/dev, where the rooms are links (see CONTRIBUTING.md).
dev: $(VENV)/test.stamp
	$(BIN)/python -m pip install --quiet pybind11 "cmake>=3.22" "ninja>=1.11"
	PATH="$(CURDIR)/$(BIN):$$PATH" .ci/dev $(CURDIR)/$(BIN)/python

# Two minutes: what this machine makes, beside the table of docs/speed.md.
bench-quick: $(VENV)/demo.stamp
	$(BIN)/longleaf models pull --defaults
	$(BIN)/python -m bench.quick

$(BIN)/python:
	.ci/prepare build $(PYTHON)
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: $(SOURCES) | $(BIN)/python
	$(BIN)/python -m pip install --quiet ".[samples]"
	@touch $@

$(VENV)/test.stamp: $(SOURCES) | $(BIN)/python
	.ci/prepare test $(PYTHON)
	$(BIN)/python -m pip install --quiet ".[dev,samples]"
	@touch $@ $(VENV)/demo.stamp

$(SAMPLE): sample_docs/make.py | $(VENV)/demo.stamp
	$(BIN)/python sample_docs/make.py $(SAMPLES)

clean:
	rm -rf build $(VENV) artifacts
