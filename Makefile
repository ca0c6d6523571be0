.PHONY: help demo test test-node test-usb qa check build docs bench prove stress system-deps clean

help:            ## show this list
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/: .*##/\t/'

demo: build      ## build everything, then sign and confirm one transfer end to end
	@node cli/bin/zbc-signer.js demo

test: check      ## build, check, and run all tests except those of other commands
	@npm test --silent

test-node: needs-test-node build  ## run the tests of processes on Node 20.19, from the registry, and the journeys and a third of the files of `make test` on 26; ALL_CASES=1: all of them on 20.19, 22, 24 and 26
	@node dist/tools/test-node.js

test-usb: needs-test-usb build  ## test the emulator over USB with Debian's kernel in QEMU; ONLY=pico tests the image of a Pico, ONLY=browser the wallet in Chromium
	@$(or $(TEST_USB_$(or $(ONLY),guest)),$(error ONLY may be guest, pico or browser))

TEST_USB_guest   := npm test --silent -- --config test/usb/jest.json
TEST_USB_pico    := $(MAKE) --no-print-directory image BOARD=pico && \
  npm test --silent -- --config test/usb/jest.json --testPathIgnorePatterns='/(guest|browser)/' --testPathPatterns=usb/pico -i
TEST_USB_browser := npm test --silent -- --config test/usb/browser/jest.json

qa: needs-qa build        ## test the emulator with Zemu, Ragger's requests and pytest, and pages in browsers; ONLY=wallet-schedules runs 1,000 schedules of tabs, cable and device
	@$(or $(QA_$(or $(ONLY),all)),$(error ONLY may be all, ragger or wallet-schedules))

QA_all              := npm run --silent qa
QA_ragger           := npm test --silent -- --config test/qa/jest.json emulator/ragger emulator/pytest
QA_wallet-schedules := ALL_CASES=1 npm test --silent -- --config test/qa/jest.json wallet/schedules

check: build     ## check format, lint, types and that generated files are up to date
	@npm run --silent check

build: node_modules/.package-lock.json  ## install dependencies; compile everything, the firmware to WASM
	@npm run --silent build

docs: build      ## build the reference of all packages from their docstrings, the gallery of the golden cases, and try.html, in dist/reference
	@node tools/docs/node_modules/typedoc/bin/typedoc --options dist/tools/build/typedoc-options.js
	@node dist/tools/build/build-try.js
	@node dist/tools/draw/gallery.js dist/reference/gallery.html

bench: build     ## run the benchmarks, with ratios to peers measured in the same run; PARTS=emulator runs only some
	@npm run --silent bench -- $(PARTS)

prove: needs-prove build     ## run every proof in its short form, and the tests of the proofs; ONLY='explore fuzz' runs only some, ONLY=list shows their names
	@$(MAKE) --no-print-directory -j$(shell nproc) -f prove/prove.mk $(or $(ONLY),all)

stress: build    ## test payments and connections under random faults, and full disks; ONLY='payments' runs only some, ONLY=list shows their names
	@$(MAKE) --no-print-directory -j$(shell nproc) -f test/stress/stress.mk $(or $(ONLY),all)

# The column "Needs" of the table of commands in CONTRIBUTING.md names each program in backquotes; $1 is a pattern.
needs = $(sort $(shell sed -nE '/^\| `$1`/ s/.*\|([^|]*)\|$$/\1/p' CONTRIBUTING.md | grep -o '`[^`]*`' | tr -d '`'))

needs-%:
	@for program in $(call needs,(make|npm run) $*$(ONLY:%= ONLY=%)( -- .*)?); do command -v $$program >/dev/null || missing="$$missing $$program"; done; \
	  test -z "$$missing" || { echo "$* needs$$missing; make system-deps installs what is missing" >&2; exit 1; }

PACKAGES := qemu-system-x86 xz-utils udev usbip usbutils kmod chromium firefox-esr clang-14 libclang-rt-14-dev llvm-14 gcc libc6-dev valgrind wabt libsodium-dev libssl-dev \
  nginx caddy haproxy prometheus systemd wrk iproute2 gcc-arm-none-eabi libnewlib-arm-none-eabi gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf \
  qemu-system-arm qemu-system-misc util-linux zsh fish python3 python3-pytest-xdist z3 frama-c-base python3-cryptography-vectors curl wget openssl

system-deps:     ## install the Debian packages that the other commands need, if missing; starts no service
	@which $(call needs,(make|npm run) [^`]*) >/dev/null && \
	  test -e /usr/include/newlib/string.h -a -e /usr/lib/picolibc/riscv64-unknown-elf/lib/libc.a -a -e /usr/include/sodium.h -a -e /usr/include/openssl/evp.h \
	  -a -e /usr/lib/python3/dist-packages/cryptography_vectors -a -e /usr/lib/python3/dist-packages/xdist || tools/install-packages.sh $(PACKAGES)

clean:           ## delete build output
	rm -rf dist protocol/dist chain/dist connect/dist host/dist react/dist image/dist emulator/dist web/dist wallet/dist gateway/dist devnet/dist cli/dist

LEAST_NODE := $(shell sed -n 's/.*"node": ">=\([0-9.]*\)".*/\1/p' package.json)

.PHONY: node-version
node-version:
	@command -v node >/dev/null || { echo "You need make and Node ≥ $(LEAST_NODE); here is no Node" >&2; exit 1; }
	@node -e 'const [major, minor] = process.versions.node.split("."); process.exit(Number((major - $(subst ., || minor - ,$(LEAST_NODE))) < 0))' || \
	  { echo "You need make and Node ≥ $(LEAST_NODE); here is $$(node --version 2>/dev/null || echo a Node that cannot start)" >&2; exit 1; }

# The phony prerequisite is checked each time, and makes nothing out of date.
node_modules/.package-lock.json: package-lock.json | node-version
	@echo 'Installing the locked dependencies: about 700 packages, a minute or so'
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

include firmware/boards.mk
