# The code is in scripts/. `make help` lists the targets.
.DEFAULT_GOAL := help
.PHONY: help run test build web e2e fmt bench reliability package dist clean

help: ## list the targets
	@grep -hE '^[a-z0-9]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9]+):.*## /  make \1\t/' | expand -t 22

run: ## install missing tools, build, start the demo and print its addresses (ARGS="--port 8080 --data DIR")
	@exec scripts/run.sh $(ARGS)

test: ## install missing tools and run every check
	@exec scripts/test.sh $(ARGS)

build: ## build target/release/sooner with the web app in it
	@exec scripts/build.sh

web: ## build web/dist alone
	@exec scripts/web.sh build

e2e: ## run the browser tests alone, each against its own demo
	@exec scripts/e2e.sh $(ARGS)

fmt: ## format Rust and TypeScript
	@exec scripts/fmt.sh

bench: ## run the benchmarks (ARGS="plan" runs one)
	@exec scripts/bench.sh $(ARGS)

reliability: ## run the kill, fault and property tests at full size
	@exec scripts/reliability.sh $(ARGS)

package: ## build and try the Debian package and the OCI archive, with lists of components, in target/package
	@exec scripts/package.sh

dist: ## build the files of a release, with release notes and checksums, in target/dist
	@exec scripts/dist.sh

clean: ## remove build results (not .tools/)
	rm -rf target web/dist web/node_modules web/test-results web/playwright-report
