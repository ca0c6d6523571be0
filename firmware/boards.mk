.PHONY: image images simulate-pico release test-boards board-images port-a-board plant-board-faults board-seeds

BOARD  ?= pico
# A directory is a board if it has a board.mk, except for the template of a port. The other directories have
# shared code.
BOARDS := $(filter-out template,$(notdir $(patsubst %/,%,$(dir $(wildcard firmware/boards/*/board.mk)))))
# The boards with a loader.
LOADERS := $(notdir $(patsubst %/loader/,%,$(dir $(wildcard firmware/boards/*/loader/memory.ld))))
# The seeds of each board are tested in two parts, for two processors. The tests cannot trace calls on
# mps2-an505.
SEED_RUNS := $(foreach board,$(filter-out mps2-an505,$(BOARDS)),seeds-0-$(board) seeds-1-$(board))
# On a busy machine, workers may need more time to exit than the half second that Jest allows by default.
JEST   := node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js --workerGracefulExitTimeout=10000

# These checks run before anything is built, and also with make -n.
ifneq ($(filter image,$(MAKECMDGOALS)),)
$(if $(wildcard firmware/boards/$(BOARD)/board.mk),,$(error BOARD=$(BOARD) is unknown: expected one of $(BOARDS)))
$(if $(LOADER),$(if $(filter $(BOARD),$(LOADERS)),,$(error BOARD=$(BOARD) has no loader: with LOADER, expected one of $(LOADERS))))
endif
ifneq ($(filter release,$(MAKECMDGOALS)),)
$(if $(KEY)$(BUILDER),,$(error KEY=FILE is missing: expected a private Ed25519 key in PEM))
$(foreach file,$(KEY) $(BUILDER),$(if $(shell test -r '$(file)' && echo yes),,$(error cannot read $(file))))
endif

image: build     ## build the firmware for BOARD=pico (lm3s6965, riscv, mps2-an505): ELF, BIN, HEX, and UF2 for a Pico, in dist/boards; with LOADER=yes its loader too
	@$(MAKE) --no-print-directory -f firmware/boards/build.mk BOARD=$(BOARD)
	@$(if $(LOADER),$(MAKE) --no-print-directory -f firmware/boards/loader.mk BOARD=$(BOARD),:)

images: build
	@$(MAKE) --no-print-directory -j$(shell nproc) --output-sync=recurse $(BOARDS:%=image-%) image-riscv-vault $(if $(ALL_CASES),image-mps2-an505-vault)

# The loader of a board is built after the image, because the files of the loader contain the image.
image-%:
	@echo "$*:"; $(MAKE) --no-print-directory -f firmware/boards/build.mk BOARD=$*
	@$(if $(filter $*,$(LOADERS)),$(MAKE) --no-print-directory -f firmware/boards/loader.mk BOARD=$*,:)

image-%-vault:
	@echo "$* with a model of a vault:"; $(MAKE) --no-print-directory -f firmware/boards/build.mk BOARD=$* VAULT=model

simulate-pico:   ## run the image of a Pico in its simulator: display and buttons in this terminal, USB over USB/IP
	@$(MAKE) --no-print-directory image BOARD=pico >&2
	@node dist/testkit/boards/simulate-pico.js

release: build   ## gather modules, images, sums, SBOMs, licences and a manifest signed with KEY=release.pem in OUT=dist/release; KEYS are those of the loader; BUILDER=builder.pem attests what was built, also without KEY
	@node dist/tools/release/check-key.js "$(or $(KEY),-)" $(KEYS)
	@for board in $(BOARDS); do $(MAKE) --no-print-directory -f firmware/boards/build.mk BOARD=$$board OUT=dist/boards/$$board || exit 1; done
	@for board in $(LOADERS); do $(MAKE) --no-print-directory -f firmware/boards/loader.mk BOARD=$$board OUT=dist/boards/$$board KEY="$(or $(KEY),-)" $(if $(KEY),all,unsigned) || exit 1; done
	@node dist/tools/release/main.js "$(KEY)" "$(BUILDER)" "$(or $(OUT),dist/release)" $(BOARDS)

dist/boards/trace.so: testkit/boards/qemu/trace.c
	@mkdir -p $(@D)
	@gcc -O2 -Wall -Wextra -Werror -shared -fPIC -o $@ $<

test-boards: needs-test-boards  ## test the images on every simulated board, follow docs/PORTING.md, mutation-test the boards; ONLY=images, porting, faults or seeds
	@$(MAKE) --no-print-directory -j3 --output-sync=target $(or $(TEST_BOARDS_$(or $(ONLY),all)),$(error ONLY=$(ONLY) is unknown: expected all, images, porting, faults or seeds))

TEST_BOARDS_all     := port-a-board board-images plant-board-faults
TEST_BOARDS_images  := board-images
TEST_BOARDS_porting := port-a-board
TEST_BOARDS_faults  := plant-board-faults
TEST_BOARDS_seeds   := board-seeds

port-a-board: build
	@$(JEST) --config test/boards/jest.json --selectProjects porting

plant-board-faults: images
	@node dist/prove/boards/main.js

# Measures the cost of public keys and signatures with SEEDS=200 seeds, on every board except mps2-an505.
board-seeds: images dist/boards/trace.so
	@$(MAKE) --no-print-directory -j2 --output-sync=target $(SEED_RUNS)

.PHONY: $(SEED_RUNS)
$(SEED_RUNS):
	@SEEDS=$(or $(SEEDS),200) SEED_PART=$(word 2,$(subst -, ,$@)) $(JEST) --config test/boards/jest.json \
	  --selectProjects $(word 3,$(subst -, ,$@)) --testPathPatterns timing --testTimeout=3600000

board-images: images dist/boards/trace.so
	@$(JEST) --config test/boards/jest.json --ignoreProjects porting
