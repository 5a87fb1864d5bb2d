# The code is in scripts/. `make help` lists the targets.
.DEFAULT_GOAL := help
.PHONY: help run test build web e2e fmt bench reliability package dist clean

help: ## this list
	@grep -hE '^[a-z0-9]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9]+):.*## /  make \1\t/' | expand -t 22

run: ## install what is missing, build, start the demo and print where to look (options: ARGS="--port 8080 --data DIR")
	@exec scripts/run.sh $(ARGS)

test: ## install what is missing and run every check
	@exec scripts/test.sh $(ARGS)

build: ## target/release/sooner with the web app in it
	@exec scripts/build.sh

web: ## web/dist alone
	@exec scripts/web.sh build

e2e: ## the browser tests alone, against a demo of their own
	@exec scripts/e2e.sh $(ARGS)

fmt: ## format Rust and TypeScript
	@exec scripts/fmt.sh

bench: ## the measures (options: ARGS="plan")
	@exec scripts/bench.sh $(ARGS)

reliability: ## the kill, fault and property tests at full size
	@exec scripts/reliability.sh $(ARGS)

package: ## target/package: Debian package, OCI archive, lists of what is in them; each is tried
	@exec scripts/package.sh

dist: ## target/dist: what a release publishes, with its notes of CHANGELOG.md and checksums
	@exec scripts/dist.sh

clean: ## remove what was built (not .tools/)
	rm -rf target web/dist web/node_modules web/test-results web/playwright-report
