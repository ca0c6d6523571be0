# Builds a board's loader and the signed images that it starts. boards.mk runs this after build.mk has built
# the board.
.DELETE_ON_ERROR:

BOARD   ?= pico
SOURCE  ?= firmware/boards
OUT     ?= dist/boards/$(BOARD)
MODULE  ?= dist/firmware/verifier.wasm
# KEY is the private Ed25519 key in PEM that signs images; the default is the development key, which everyone
# knows. The goal `unsigned` needs KEY=- and KEYS, and signs nothing. KEYS are the public keys that the loader accepts; the default is the public key of KEY.
KEY     ?=
KEYS    ?=
# The security counter. A release raises it if it fixes an error that no older image may reintroduce.
COUNTER ?= 1
LOADER_OUT := $(OUT)/loader
TOOLS   := dist/tools/image
include $(SOURCE)/$(BOARD)/board.mk
include $(SOURCE)/flags.mk
.DEFAULT_GOAL := all

DIRECTORIES := $(SOURCE)/common $(SOURCE)/loader $(SOURCE)/$(BOARD)/loader $(SOURCE)/$(BOARD)
CFLAGS  += -I$(LOADER_OUT) $(addprefix -I,$(DIRECTORIES))
C_FILES := $(wildcard $(SOURCE)/loader/*.c $(SOURCE)/$(BOARD)/loader/*.c) $(addprefix $(SOURCE)/,$(LOADER_PARTS))
OBJECTS := $(patsubst %.c,$(LOADER_OUT)/%.o,$(notdir $(C_FILES))) \
  $(LOADER_OUT)/verifier-module.o $(LOADER_OUT)/keys.o $(addprefix $(OUT)/,$(OBJECTS_OF_BOARD))
HEADERS := $(wildcard $(addsuffix /*.h,$(DIRECTORIES))) $(LOADER_OUT)/verifier-module.c $(LOADER_OUT)/wasm-rt.h
IMAGES  := $(OUT)/zbc-signer-loader.uf2
vpath %.c $(sort $(dir $(C_FILES)))

.PHONY: all unsigned FORCE
unsigned: $(LOADER_OUT)/loader.bin $(OUT)/zbc-signer-slot.bin
all: $(LOADER_OUT)/loader.sym $(OUT)/zbc-signer-slot.sym $(IMAGES)
	@echo loader:
	@node $(TOOLS)/report-size.js $< '$(LOADER_INTERRUPTS)' $(LOADER_OUT)/*.ci

$(LOADER_OUT)/verifier-module.c: $(MODULE) $(TOOLS)/translate.js $(TOOLS)/rewrite-checks.js
	@mkdir -p $(LOADER_OUT)
	@wasm2c $< -n verifier -o $@
	@node $(TOOLS)/translate.js $@

$(LOADER_OUT)/wasm-rt.h: /usr/include/wasm-rt.h
	@mkdir -p $(LOADER_OUT)
	@cp $< $@

$(LOADER_OUT)/verifier-module.o: $(LOADER_OUT)/verifier-module.c $(LOADER_OUT)/wasm-rt.h
	@$(CROSS)gcc $(CFLAGS) $(LIBC) -w -c -o $@ $<

# The program runs every time, but writes the file only if the keys have changed. Otherwise nothing is
# rebuilt.
$(LOADER_OUT)/keys.c: FORCE
	@mkdir -p $(LOADER_OUT)
	@node $(TOOLS)/loader-keys.js $@ '$(KEY)' $(KEYS)
FORCE:

$(LOADER_OUT)/keys.o: $(LOADER_OUT)/keys.c $(HEADERS)
	@$(CROSS)gcc $(CFLAGS) $(LIBC) $(WARN) -c -o $@ $<

$(LOADER_OUT)/%.o: %.c $(HEADERS)
	@$(CROSS)gcc $(CFLAGS) $(LIBC) $(WARN) -c -o $@ $<

$(LOADER_OUT)/loader.elf: $(OBJECTS) $(SOURCE)/$(BOARD)/loader/memory.ld $(SOURCE)/$(BOARD)/program.ld
	@$(CROSS)gcc $(LDFLAGS) -T $(SOURCE)/$(BOARD)/loader/memory.ld $(LIBC) $(OBJECTS) -o $@

# The objects of the board, linked for the slot, without the second stage of the boot ROM, which the loader
# contains.
SLOT_OBJECTS := $(filter-out $(OUT)/boot2-image.o,$(BOARD_OBJECTS))
$(OUT)/zbc-signer-slot.elf: $(OUT)/zbc-signer.elf $(SOURCE)/$(BOARD)/slot.ld $(SOURCE)/$(BOARD)/program.ld
	@$(CROSS)gcc $(LDFLAGS) -T $(SOURCE)/$(BOARD)/slot.ld $(LIBC) $(SLOT_OBJECTS) -o $@

%.bin: %.elf
	@$(CROSS)objcopy -O binary $< $@

%.sym: %.elf
	@$(CROSS)nm $< >$@

# Writes two files: the loader with the signed image, and the signed image as an update.
$(IMAGES): unsigned $(TOOLS)/sign-slot.js FORCE
	@node $(TOOLS)/sign-slot.js $(BOARD) $(OUT) '$(COUNTER)' '$(KEY)'
