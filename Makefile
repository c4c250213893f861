# Two commands to start with: `make demo` and `make test`. Python 3.11 or newer, git and make are all they need.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
# tests run on every core; WORKERS=0 runs them in one process
WORKERS ?= auto
# settings of the caller must not bend the checks
unexport PYTHONPATH PYTHONHOME PYTHONSTARTUP
export PIP_ROOT_USER_ACTION := ignore
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test quick oldest newest lint docs bench api-check clean
.DELETE_ON_ERROR:

# compiled here, since not every environment lets Python write what it compiled: a checkout starts as fast as a wheel
demo: $(VENV)/.run-ready
	@$(BIN)/python -m compileall -q mfgit
	@$(BIN)/mfgit demo

test: lint
	$(BIN)/python -m compileall -q mfgit
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

# without the tests that make environments of their own
quick: $(VENV)/.dev-ready
	$(BIN)/python -m pytest -n $(WORKERS) -m 'not slow' $(ARGS)

# the same with the lowest, and with the newest versions of everything that pyproject.toml allows
oldest newest:
	@$(MAKE) --no-print-directory VENV=.venv-$@ .venv-$@/bin/python
	$(INSTALL-$@) --quiet --editable '.[dev]'
	.venv-$@/bin/python -m pytest -n $(WORKERS) -m 'not slow' $(ARGS)

INSTALL-oldest = .venv-oldest/bin/python -m pip install --quiet uv && .venv-oldest/bin/uv pip install \
	--python .venv-oldest/bin/python --resolution lowest-direct
INSTALL-newest = .venv-newest/bin/python -m pip install --upgrade --upgrade-strategy eager --pre

lint: $(VENV)/.dev-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/reuse --root . lint --quiet || $(BIN)/reuse --root . lint

docs: $(VENV)/.dev-ready
	$(BIN)/python -m docs.generate
	$(BIN)/python -m docs.manual
	$(BIN)/python -m sphinx -q -W --keep-going -b html -d build/doctrees docs build/docs
	@echo "The site is in build/docs: open build/docs/index.html"

# in an environment of its own, since what mfgit is compared with brings much that nothing else needs
bench: $(VENV)/.dev-ready
	test -x .venv-bench/bin/python || $(BIN)/virtualenv --quiet .venv-bench
	.venv-bench/bin/python -m pip install --quiet --editable '.[mcp,server]'
	-.venv-bench/bin/python -m pip install --quiet --editable '.[bench]'
	-.venv-bench/bin/python -m pip install --quiet --no-deps 'bertopic>=0.17'
	.venv-bench/bin/python -m compileall -q mfgit
	.venv-bench/bin/python -m benchmarks --write docs/reference/benchmarks.md

api-check: $(VENV)/.dev-ready
	$(BIN)/python -m pip install --quiet 'schemathesis>=4.30'
	$(BIN)/python -m tests.apicheck

clean:
	rm -rf $(VENV) .venv-bench .venv-newest .venv-oldest .venv-tools build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .schemathesis .import_linter_cache .coverage

$(VENV)/.run-ready: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev-ready: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.run-ready

# Debian's Python often has no ensurepip: virtualenv carries its own pip, and root can have python3-venv.
$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "mfgit needs Python 3.11 or newer; name it with make PYTHON=/path/to/python3."; exit 1; }
	@command -v git >/dev/null || { echo "mfgit needs the command git."; exit 1; }
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 \
	|| { rm -rf $(VENV) && $(PYTHON) -m virtualenv --quiet $(VENV) 2>/dev/null; } \
	|| { rm -rf $(VENV) && $(PYTHON) -m pip install --quiet --target .venv-tools virtualenv \
		&& PYTHONPATH=.venv-tools $(PYTHON) -m virtualenv --quiet $(VENV) && rm -rf .venv-tools; } \
	|| { rm -rf $(VENV) && test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& apt-get update -qq && apt-get install -y -qq python3-venv && $(PYTHON) -m venv $(VENV); } \
	|| { rm -rf $(VENV); echo "No virtual environment could be made: install python3-venv (or pip) and run make again."; exit 1; }
