.PHONY: image release test-boards test-boards-short

BOARD ?= pico
JEST  := node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js

image: build     ## build the firmware for BOARD=pico: ELF, BIN, HEX and UF2 in dist/boards/pico
	@test -e firmware/boards/$(BOARD)/memory.ld || { echo "no board $(BOARD)" >&2; exit 1; }
	@$(MAKE) --no-print-directory -f firmware/boards/build.mk BOARD=$(BOARD)

# Boards without a linker script are no boards: what they share, and what a port starts from.
BOARDS := $(filter-out template,$(patsubst firmware/boards/%/memory.ld,%,$(wildcard firmware/boards/*/memory.ld)))

release: build   ## gather module, images, sums, SBOM and a manifest signed with KEY=release.pem in OUT=dist/release
	@test -n "$(KEY)" || { echo "KEY=FILE is missing: a private Ed25519 key in PEM" >&2; exit 1; }
	@for board in $(BOARDS); do $(MAKE) --no-print-directory -f firmware/boards/build.mk BOARD=$$board OUT=dist/boards/$$board || exit 1; done
	@node dist/tools/release/main.js "$(KEY)" "$(or $(OUT),dist/release)" $(BOARDS)

test-boards: image  ## test the image on a simulated board, and mutation-test the code of the board
	@$(JEST) --config test/boards/jest.json
	@node dist/prove/boards/main.js

test-boards-short: image  ## test the image on a simulated board
	@$(JEST) --config test/boards/jest.json
