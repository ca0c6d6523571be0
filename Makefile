.PHONY: demo test test-node qa check build bench prove clean help

help:            ## show this list
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/: .*##/\t/'

demo: build      ## build everything, then sign and confirm one transfer end to end
	@node cli/dist/main.js demo

test: check      ## build, check, and run every test
	@npm test --silent

test-node: build  ## run the journeys and the command line's tests on Node 22, 24 and 26, from the registry
	@node dist/tools/test-node.js

test-usb: build  ## drive the emulator over USB with Debian's kernel in QEMU, which must be installed
	@npm test --silent -- --config test/usb/jest.json

qa: build        ## run stock test tools against the emulator, and its panel in Chromium, which must be installed
	@npm run --silent qa

check: build     ## format, lint, types; generated files are up to date
	@npm run --silent check

build: node_modules/.package-lock.json  ## install dependencies; compile everything, the firmware to WASM
	@npm run --silent build

bench: build     ## benchmarks: ratios to peers measured in the same run
	@npm run --silent bench

prove: arithmetic read-back read-back-control fuzz-replay fuzz-control constant-time constant-time-control differential random planted-faults durability durability-control transport-faults fuzz  ## run every proof in its short form

clean:           ## delete build output
	rm -rf dist protocol/dist chain/dist host/dist image/dist emulator/dist web/dist wallet/dist gateway/dist devnet/dist cli/dist

node_modules/.package-lock.json: package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

include prove/native.mk prove/soundness.mk prove/differential.mk prove/random.mk prove/planted-faults.mk prove/durability.mk prove/load.mk prove/transport.mk firmware/boards.mk
