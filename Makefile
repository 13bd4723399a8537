SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
# Prerequisites in the order they are written: deps may bring what the environment is made with.
.NOTPARALLEL:

# The Python that makes the virtual environments, and runs what needs none.
PYTHON ?= python3
# What `make pgtap` and `make test` are to run: make pgtap PGTAP=pgtap/recall_block
PGTAP ?= pgtap
# Further arguments of pytest: make test PYTEST='-k standby'
PYTEST ?=
# The servers of `make test-matrix`, one or several: make test-matrix PGVERSIONS='14 16'
PGVERSIONS ?= 14 16 17 18

# Debian has PgBouncer in /usr/sbin, which is not on every user's PATH.
export PATH := $(PATH):/usr/sbin

BIN := .venv/bin
VENV := .venv/.installed
DEMO_VENV := .venv-demo/.installed
SERVICE_VENV := .venv-service/.installed
PYTHON_DIRS = $(wildcard python_client tests scripts demo evals examples)
SQL_DIRS = $(wildcard sql functions pgtap)

# make bench QUICK=1: a smaller table, shorter runs.
QUICK ?=

# The port of `make service`.
PORT ?= 8000

.PHONY: help demo service test test-matrix pgtap lint format build vocabulary bench bench-retention deps clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: build $(DEMO_VENV) ## replay a three-week conversation on an embedded PostgreSQL: no server, no root
	.venv-demo/bin/python -m demo.run

service: build $(SERVICE_VENV) ## run the example chat service on an embedded PostgreSQL; PORT=8000, MODEL_API=scripted
	.venv-service/bin/python -m examples.chat_service --port $(PORT)

test: deps build $(VENV) ## pgTAP and pytest on clusters of their own; installs the Debian packages it needs
	$(PYTHON) -m scripts.pgtap $(PGTAP)
	$(BIN)/python -m pytest --junitxml=reports/pytest.xml $(PYTEST)
	$(BIN)/python -m scripts.matrix 18 --pytest tests/database

test-matrix: deps build $(VENV) ## the tests on other PostgreSQL versions, fetched by npm; PGVERSIONS='14 16 17 18'
	$(BIN)/python -m scripts.matrix $(PGVERSIONS)

pgtap: build ## only the pgTAP tests; PGTAP=FOLDER for some of them
	$(PYTHON) -m scripts.pgtap $(PGTAP)

lint: $(VENV) ## ruff, mypy --strict, sqlfluff
	$(BIN)/ruff check $(PYTHON_DIRS)
	$(BIN)/ruff format --check $(PYTHON_DIRS)
	$(BIN)/mypy --strict $(PYTHON_DIRS)
	$(BIN)/sqlfluff lint --processes 0 $(SQL_DIRS)

format: $(VENV) ## what of lint can be mended by machine
	$(BIN)/ruff check --fix $(PYTHON_DIRS)
	$(BIN)/ruff format $(PYTHON_DIRS)

build: ## write the installation scripts to sql/dist
	$(PYTHON) scripts/build.py

vocabulary: $(VENV) ## write sql/dist/pg_tool_recall.vocabulary.sql: exact token counts, for psql -f
	$(BIN)/python -m scripts.vocabulary dist

bench: build $(VENV) ## measure recording and recall against their floors
	$(BIN)/python -m evals.bench $(if $(QUICK),--quick)

bench-retention: build $(VENV) ## measure a purge of a million of ten million rows beside 16 clients
	$(BIN)/python -m evals.bench retention $(if $(QUICK),--quick)

deps: ## install the Debian packages that the tests need, or say which are missing
	$(PYTHON) -m scripts.system_deps

clean: ## remove everything that was built or installed here
	rm -rf .venv .venv-demo .venv-service .postgres sql/dist dist reports .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment half made starts anew: the stamp comes last.
$(VENV): pyproject.toml
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

$(DEMO_VENV): pyproject.toml
	$(PYTHON) -m venv --clear .venv-demo
	.venv-demo/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[demo]'
	touch $@

$(SERVICE_VENV): pyproject.toml
	$(PYTHON) -m venv --clear .venv-service
	.venv-service/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[service]'
	touch $@
