.PHONY: demo test qa check build bench prove clean help

help:            ## show this list
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/: .*##/\t/'

demo: build      ## build all, then sign and confirm one transfer on an emulated device and a development network
	@node dist/host/src/cli/main.js demo

test: check      ## build all, check it, run every test
	@npm test --silent

qa: build        ## drive the emulator with stock test tools and its panel in Chromium, which has to be installed
	@npm run --silent qa

check: build     ## formatting, lint, types, and that what is generated is what is committed
	@npm run --silent check

build: node_modules/.package-lock.json  ## install what is needed; compile everything, the firmware to WASM
	@npm run --silent build

bench: build     ## the speed table: ratios against peers measured in the same run
	@npm run --silent bench

prove: fuzz-replay fuzz-control constant-time constant-time-control differential planted-faults durability durability-control fuzz  ## all proofs in their short form

clean:           ## delete what was built
	rm -rf dist

node_modules/.package-lock.json: package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

include prove/native.mk prove/differential.mk prove/planted-faults.mk prove/durability.mk prove/load.mk
