# Everything is done from here; each target does its own set-up from a fresh clone.
#
#   make book        the site, in _build/html
#   make test        every check, from lint to the browser
#   make serve       the site on http://127.0.0.1:8000
#   make lab         JupyterLab in notebooks/
#   make notebooks   execute and normalise the lessons (NB=notebooks/06_whole_sequence.ipynb for one)
#   make figures     draw the figures again
#   make machines    hold what is stored to what other processors compute
#   make bench       measure pages, widgets and builds
#   make clean       remove what was built (the environment in .venv stays)

SHELL := /bin/bash
.DEFAULT_GOAL := book

VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/.qkv-ready
PORT ?= 8000
NB ?=

export JUPYTER_PLATFORM_DIRS := 1
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: setup book test lab notebooks figures machines bench serve clean

setup: $(READY)

# A Python from 3.11 to 3.13 that really starts: a version manager's shim may stand for none.
$(VENV)/bin/python:
	@for name in python3 python3.11 python3.12 python3.13 python; do \
	  if "$$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; \
	  then found=$$name; break; fi; \
	done; \
	if [ -z "$$found" ]; then echo "make: this needs Python 3.11, 3.12 or 3.13 on PATH" >&2; exit 1; fi; \
	echo "make: $$($$found --version) in $(VENV)"; \
	$$found -m venv $(VENV)

$(READY): requirements.txt pyproject.toml tools/vendor.py book/vendor/package-lock.json | $(VENV)/bin/python
	$(PY) -m pip install -qq --disable-pip-version-check -r requirements.txt
	$(PY) -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(PY) tools/vendor.py book/vendor
	@touch $@

book: $(READY)
	$(PY) tools/build.py

test: $(READY)
	$(PY) tools/browser.py --install
	$(PY) tools/build.py
	$(VENV)/bin/ruff check .
	$(VENV)/bin/codespell
	$(PY) -m pytest tests notebooks --nbval --nbval-sanitize-with tests/lessons/nbval_sanitize.cfg --nbval-cell-timeout=60

lab: $(READY)
	$(VENV)/bin/jupyter lab --ServerApp.root_dir=. --LabApp.default_url=/lab/tree/notebooks

notebooks: $(READY)
	$(PY) tools/notebooks.py $(NB)

figures: $(READY)
	$(PY) -m figures

machines: book
	$(PY) tools/browser.py --install
	$(PY) tools/machines.py

bench: $(READY)
	$(PY) tools/vendor.py book/vendor tools/bench/vendor
	$(PY) tools/browser.py --install
	$(PY) -m tools.bench

serve: book
	$(PY) tools/serve.py $(PORT)

clean:
	rm -rf _build .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
