# Translates the shipped modules to C and compiles them with the code of a board. boards.mk runs this after
# the build of the repository.
.DELETE_ON_ERROR:

BOARD  ?= pico
SOURCE ?= firmware/boards
MODULE ?= dist/firmware/zbc-signer.wasm
KEYSTORE_MODULE ?= dist/firmware/zbc-keystore.wasm
OUT    ?= dist/boards/$(BOARD)$(if $(VAULT),-vault)
TOOLS  := dist/tools/image
NAME   := $(OUT)/zbc-signer

# A board.mk sets these variables:
#   CROSS                        prefix of the compiler
#   CPU, CFLAGS_OF_BOARD, LIBC   options of the compiler
#   LINKS                        number of links to hosts
#   PARTS                        directories of firmware/boards that the board uses in addition to common
#   OBJECTS_OF_BOARD             object files in addition to those of the C files
#   INTERRUPTS                   functions that handle interrupts
#   PRODUCTS                     files to build in addition to those of `all`
#   KEYSTORE_OPTIONS             description of the board for the keystore (docs/KEYSTORE.md#platform)
include $(SOURCE)/$(BOARD)/board.mk
.DEFAULT_GOAL := all

include $(SOURCE)/flags.mk
CFLAGS  += -I$(OUT) $(addprefix -I,$(BOARD_DIRECTORIES)) -DKEYSTORE_OPTIONS=$(KEYSTORE_OPTIONS)
LDFLAGS += -Wl,-Map=$(NAME).map -T $(SOURCE)/$(BOARD)/memory.ld

HEADERS := $(wildcard $(addsuffix /*.h,$(BOARD_DIRECTORIES)) $(SOURCE)/common/generated/*.h) $(OUT)/wasm-rt.h $(OUT)/signer.c $(OUT)/keystore.c
vpath %.c $(BOARD_DIRECTORIES)
vpath %.S $(BOARD_DIRECTORIES)

.PHONY: all
all: $(NAME).hex $(NAME).bin $(NAME).sym $(PRODUCTS)
	@node $(TOOLS)/report-size.js $(NAME).sym '$(INTERRUPTS)' $(OUT)/*.ci

$(OUT)/signer.c: $(MODULE) $(TOOLS)/translate.js $(TOOLS)/rewrite-checks.js
	@mkdir -p $(OUT)
	@wasm2c $< -n signer -o $@
	@node $(TOOLS)/translate.js $@

$(OUT)/keystore.c: $(KEYSTORE_MODULE) $(TOOLS)/translate.js $(TOOLS)/rewrite-checks.js
	@mkdir -p $(OUT)
	@wasm2c $< -n keystore -o $@
	@node $(TOOLS)/translate.js $@

$(OUT)/wasm-rt.h: /usr/include/wasm-rt.h
	@mkdir -p $(OUT)
	@cp $< $@

$(OUT)/signer.o: $(OUT)/signer.c $(OUT)/wasm-rt.h firmware/boards/build.mk $(SOURCE)/$(BOARD)/board.mk
	@$(CROSS)gcc $(CFLAGS) $(LIBC) -w -c -o $@ $<

# The keystore's memory is keystore_memory of common/runtime.h.
$(OUT)/keystore.o: $(OUT)/keystore.c $(OUT)/wasm-rt.h firmware/boards/build.mk $(SOURCE)/$(BOARD)/board.mk
	@$(CROSS)gcc $(CFLAGS) $(LIBC) $(KEYSTORE_CFLAGS) -Dmodule_memory=keystore_memory -Dwasm_rt_allocate_memory=keystore_allocate_memory \
	  -UMODULE_MEMORY_BYTES -DMODULE_MEMORY_BYTES=$(KEYSTORE_MEMORY_BYTES) -w -c -o $@ $<

$(OUT)/%.o: %.c $(HEADERS)
	@$(CROSS)gcc $(CFLAGS) $(LIBC) $(WARN) -c -o $@ $<

$(OUT)/%.o: %.S
	@mkdir -p $(OUT)
	@$(CROSS)gcc $(CPU) -Wa,-I$(OUT) -c -o $@ $<

$(NAME).elf: $(BOARD_OBJECTS) $(wildcard $(SOURCE)/$(BOARD)/*.ld)
	@$(CROSS)gcc $(LDFLAGS) $(LIBC) $(BOARD_OBJECTS) -o $@

$(NAME).bin: $(NAME).elf
	@$(CROSS)objcopy -O binary $< $@

$(NAME).hex: $(NAME).elf
	@$(CROSS)objcopy -O ihex $< $@

$(NAME).sym: $(NAME).elf
	@$(CROSS)nm $< >$@
