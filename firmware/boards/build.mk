# Translates the shipped module to C and compiles it with the code of a board: boards.mk calls this once the repository is built.
.DELETE_ON_ERROR:

BOARD  ?= pico
SOURCE ?= firmware/boards
MODULE ?= dist/firmware/zbc-signer.wasm
OUT    ?= dist/boards/$(BOARD)
TOOLS  := dist/tools/image
CROSS  := arm-none-eabi-
NAME   := $(OUT)/zbc-signer
# The build of the module allows it no more (tools/build-firmware.ts).
MODULE_MEMORY_BYTES := 24576
MODULE_REACH_BYTES  := 256

CPU     := -mcpu=cortex-m0plus -mthumb
WARN    := -Wall -Wextra -Wstack-usage=1024 -Werror
# gcc takes accesses to low addresses, where the boot ROM is, for null pointers.
CFLAGS  := $(CPU) -O2 -g -std=gnu11 -ffreestanding -fno-partial-inlining -ffunction-sections -fdata-sections -fno-common \
  -fcallgraph-info=su --param=min-pagesize=0 \
  -DNDEBUG -DMODULE_MEMORY_BYTES=$(MODULE_MEMORY_BYTES) -DMODULE_REACH_BYTES=$(MODULE_REACH_BYTES) -DWASM_RT_MEMCHECK_SIGNAL_HANDLER=0 \
  -I$(OUT) -I$(SOURCE)/common -I$(SOURCE)/$(BOARD)
LDFLAGS := $(CPU) -nostartfiles --specs=nano.specs --specs=nosys.specs -Wl,--gc-sections -Wl,--fatal-warnings \
  -Wl,-Map=$(NAME).map -T $(SOURCE)/$(BOARD)/memory.ld

C_FILES := $(wildcard $(SOURCE)/common/*.c $(SOURCE)/$(BOARD)/*.c)
HEADERS := $(wildcard $(SOURCE)/common/*.h $(SOURCE)/common/generated/*.h $(SOURCE)/$(BOARD)/*.h) $(OUT)/wasm-rt.h $(OUT)/signer.c
OBJECTS := $(patsubst %.c,$(OUT)/%.o,$(notdir $(C_FILES))) $(OUT)/signer.o $(OUT)/armv6m-multiply.o $(OUT)/boot2-image.o
vpath %.c $(SOURCE)/common $(SOURCE)/$(BOARD)
vpath %.S $(SOURCE)/common $(SOURCE)/$(BOARD)

.PHONY: all
all: $(NAME).uf2 $(NAME).hex $(NAME).bin $(NAME).sym
	@node $(TOOLS)/report-size.js $(NAME).sym $(OUT)/*.ci

$(OUT)/signer.c: $(MODULE) $(TOOLS)/translate.js $(TOOLS)/rewrite-checks.js
	@mkdir -p $(OUT)
	@wasm2c $< -n signer -o $@
	@node $(TOOLS)/translate.js $@

$(OUT)/wasm-rt.h: /usr/include/wasm-rt.h
	@mkdir -p $(OUT)
	@cp $< $@

$(OUT)/signer.o: $(OUT)/signer.c $(OUT)/wasm-rt.h firmware/boards/build.mk
	@$(CROSS)gcc $(CFLAGS) -w -c -o $@ $<

$(OUT)/%.o: %.c $(HEADERS)
	@$(CROSS)gcc $(CFLAGS) $(WARN) -c -o $@ $<

$(OUT)/%.o: %.S
	@mkdir -p $(OUT)
	@$(CROSS)gcc $(CPU) -Wa,-I$(OUT) -c -o $@ $<

$(OUT)/boot2.bin: $(OUT)/boot2.o $(TOOLS)/boot2.js
	@$(CROSS)objcopy -O binary -j .boot2 $< $(OUT)/boot2-code.bin
	@node $(TOOLS)/boot2.js $(OUT)/boot2-code.bin $@

$(OUT)/boot2-image.o: $(OUT)/boot2.bin

$(NAME).elf: $(OBJECTS) $(SOURCE)/$(BOARD)/memory.ld
	@$(CROSS)gcc $(LDFLAGS) $(OBJECTS) -o $@

$(NAME).bin: $(NAME).elf
	@$(CROSS)objcopy -O binary $< $@

$(NAME).hex: $(NAME).elf
	@$(CROSS)objcopy -O ihex $< $@

$(NAME).uf2: $(NAME).bin $(TOOLS)/make-uf2.js
	@node $(TOOLS)/make-uf2.js $(BOARD) $< $@

$(NAME).sym: $(NAME).elf
	@$(CROSS)nm $< >$@
