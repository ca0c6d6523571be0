.PHONY: image test-boards test-boards-short

BOARD ?= pico
JEST  := node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js

image: build     ## build the firmware for BOARD=pico: ELF, BIN, HEX and UF2 in dist/boards/pico
	@test -e firmware/boards/$(BOARD)/memory.ld || { echo "no board $(BOARD)" >&2; exit 1; }
	@$(MAKE) --no-print-directory -f firmware/boards/build.mk BOARD=$(BOARD)

test-boards: image  ## test the image on a simulated board, and mutation-test the code of the board
	@$(JEST) --config test/boards/jest.json
	@node dist/prove/boards/main.js

test-boards-short: image  ## test the image on a simulated board
	@$(JEST) --config test/boards/jest.json
