.PHONY: module-proofs demo test test-node test-usb test-usb-browser test-usb-pico test-container wallet-schedules qa check build docs bench prove clean help

help:            ## show this list
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/: .*##/\t/'

demo: build      ## build everything, then sign and confirm one transfer end to end
	@node cli/dist/main.js demo

test: check      ## build, check, and run every test but those of the proofs
	@npm test --silent

test-node: build  ## run the journeys and the command line's tests on Node 22, 24 and 26, from the registry
	@node dist/tools/test-node.js

test-usb: build  ## drive the emulator over USB with Debian's kernel in QEMU, which must be installed
	@npm test --silent -- --config test/usb/jest.json

test-usb-pico: build  ## drive the Pico's image over USB with Debian's kernel, through a gateway
	@$(MAKE) --no-print-directory image BOARD=pico
	@npm test --silent -- --config test/usb/jest.json --testPathIgnorePatterns='/(guest|browser)/' --testPathPatterns=usb/pico -i

test-usb-browser: build  ## the wallet in Chromium over real WebHID and WebUSB, in that guest; 8 minutes of processor time
	@npm test --silent -- --config test/usb/browser/jest.json

qa: build        ## run stock test tools against the emulator, and its panel in Chromium, which must be installed
	@npm run --silent qa

test-container: build  ## build and run the container files of emulator and gateway with Debian's buildah, which must be installed
	@npm test --silent -- --config test/container/jest.json

wallet-schedules: build  ## 1,000 random schedules of tabs, cable and device in Chromium; `make qa` runs ten
	@ALL_CASES=1 npm test --silent -- --config test/qa/jest.json wallet/schedules

check: build     ## format, lint, types; generated files are up to date
	@npm run --silent check

build: node_modules/.package-lock.json  ## install dependencies; compile everything, the firmware to WASM
	@npm run --silent build

docs: build      ## build the reference of all packages from their docstrings, in dist/reference
	@node tools/docs/node_modules/typedoc/bin/typedoc --options tools/docs/typedoc.json

bench: build     ## benchmarks: ratios to peers measured in the same run; PARTS=emulator for some
	@npm run --silent bench -- $(PARTS)

# Each proof uses one core; the tests that follow use all.
prove: build     ## run every proof in its short form, and their tests
	@$(MAKE) --no-print-directory -j$(shell nproc) --output-sync=target payments durability module-proofs read-back transport-faults power-cuts differential durability-control
	@$(MAKE) --no-print-directory all-cases planted-faults

module-proofs: build
	@$(MAKE) --no-print-directory -f prove/native-build.mk explore symbolic-control single-faults-control explore-control read-back-control \
	  single-faults symbolic arithmetic fuzz constant-time traps hashes amounts pages ranges fuzz-replay fuzz-control constant-time-control

clean:           ## delete build output
	rm -rf dist protocol/dist chain/dist host/dist image/dist emulator/dist web/dist wallet/dist gateway/dist devnet/dist cli/dist

node_modules/.package-lock.json: package-lock.json
	@echo 'Installing the locked dependencies: about 700 packages, a minute or so'
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

include prove/native.mk prove/soundness.mk prove/differential.mk prove/all-cases.mk prove/payments.mk prove/planted-faults.mk prove/durability.mk prove/load.mk prove/transport.mk firmware/boards.mk
