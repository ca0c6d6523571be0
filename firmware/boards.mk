.PHONY: image images simulate-pico release test-boards board-images port-a-board plant-board-faults board-seeds

BOARD  ?= pico
# Directories without a board.mk are no boards: what they share, and what a port starts from.
BOARDS := $(filter-out template,$(notdir $(patsubst %/,%,$(dir $(wildcard firmware/boards/*/board.mk)))))
# Those with a loader.
LOADERS := $(notdir $(patsubst %/loader/,%,$(dir $(wildcard firmware/boards/*/loader/memory.ld))))
# Each board's seeds in two parts, for two processors; of one the tests cannot follow the calls.
SEED_RUNS := $(foreach board,$(filter-out mps2-an505,$(BOARDS)),seeds-0-$(board) seeds-1-$(board))
# Workers of a busy machine end in more than the half second that Jest gives them.
JEST   := node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js --workerGracefulExitTimeout=10000

# Before anything is built, and with make -n too.
ifneq ($(filter image,$(MAKECMDGOALS)),)
$(if $(wildcard firmware/boards/$(BOARD)/board.mk),,$(error no board $(BOARD); there are: $(BOARDS)))
$(if $(LOADER),$(if $(filter $(BOARD),$(LOADERS)),,$(error no loader for $(BOARD); there are: $(LOADERS))))
endif
ifneq ($(filter release,$(MAKECMDGOALS)),)
$(if $(KEY),,$(error KEY=FILE is missing: a private Ed25519 key in PEM))
$(if $(shell test -r '$(KEY)' && echo yes),,$(error cannot read $(KEY)))
endif

image: build     ## build the firmware for BOARD=pico (lm3s6965, riscv, mps2-an505): ELF, BIN, HEX, and UF2 for a Pico, in dist/boards; with LOADER=yes its loader too
	@$(MAKE) --no-print-directory -f firmware/boards/build.mk BOARD=$(BOARD)
	@$(if $(LOADER),$(MAKE) --no-print-directory -f firmware/boards/loader.mk BOARD=$(BOARD),:)

images: build
	@$(MAKE) --no-print-directory -j$(shell nproc) --output-sync=recurse $(BOARDS:%=image-%) image-riscv-vault $(if $(ALL_CASES),image-mps2-an505-vault)

# A loader carries the image of its board.
image-%:
	@echo "$*:"; $(MAKE) --no-print-directory -f firmware/boards/build.mk BOARD=$*
	@$(if $(filter $*,$(LOADERS)),$(MAKE) --no-print-directory -f firmware/boards/loader.mk BOARD=$*,:)

image-%-vault:
	@echo "$* with a model of a vault:"; $(MAKE) --no-print-directory -f firmware/boards/build.mk BOARD=$* VAULT=model

simulate-pico:   ## run the image of a Pico in its simulator: display and buttons in this terminal, USB over USB/IP
	@$(MAKE) --no-print-directory image BOARD=pico >&2
	@node dist/testkit/boards/simulate-pico.js

release: build   ## gather modules, images, sums, SBOM and a manifest signed with KEY=release.pem in OUT=dist/release; KEYS are those of the loader
	@node dist/tools/release/check-key.js "$(KEY)" $(KEYS)
	@for board in $(BOARDS); do $(MAKE) --no-print-directory -f firmware/boards/build.mk BOARD=$$board OUT=dist/boards/$$board || exit 1; done
	@for board in $(LOADERS); do $(MAKE) --no-print-directory -f firmware/boards/loader.mk BOARD=$$board OUT=dist/boards/$$board || exit 1; done
	@node dist/tools/release/main.js "$(KEY)" "$(or $(OUT),dist/release)" $(BOARDS)

dist/boards/trace.so: testkit/boards/qemu/trace.c
	@mkdir -p $(@D)
	@gcc -O2 -Wall -Wextra -Werror -shared -fPIC -o $@ $<

test-boards:     ## test the images on every simulated board, follow docs/PORTING.md, mutation-test the boards; ONLY=images, porting, faults or seeds
	@$(MAKE) --no-print-directory -j3 --output-sync=target $(or $(TEST_BOARDS_$(or $(ONLY),all)),$(error ONLY is all, images, porting, faults or seeds))

TEST_BOARDS_all     := port-a-board board-images plant-board-faults
TEST_BOARDS_images  := board-images
TEST_BOARDS_porting := port-a-board
TEST_BOARDS_faults  := plant-board-faults
TEST_BOARDS_seeds   := board-seeds

port-a-board: build
	@$(JEST) --config test/boards/jest.json --selectProjects porting

plant-board-faults: images
	@node dist/prove/boards/main.js

# The cost of public keys and signatures over SEEDS=200 seeds, on every board.
board-seeds: images dist/boards/trace.so
	@$(MAKE) --no-print-directory -j2 --output-sync=target $(SEED_RUNS)

.PHONY: $(SEED_RUNS)
$(SEED_RUNS):
	@SEEDS=$(or $(SEEDS),200) SEED_PART=$(word 2,$(subst -, ,$@)) $(JEST) --config test/boards/jest.json \
	  --selectProjects $(word 3,$(subst -, ,$@)) --testPathPatterns timing --testTimeout=3600000

board-images: images dist/boards/trace.so
	@$(JEST) --config test/boards/jest.json --ignoreProjects porting
