# Translates the shipped module to C and compiles it with the code of a board: boards.mk calls this once the repository is built.
.DELETE_ON_ERROR:

BOARD  ?= pico
SOURCE ?= firmware/boards
MODULE ?= dist/firmware/zbc-signer.wasm
OUT    ?= dist/boards/$(BOARD)
TOOLS  := dist/tools/image
NAME   := $(OUT)/zbc-signer

# What a board sets: CROSS, the prefix of its compiler; CPU; CFLAGS_OF_BOARD and LIBC; LINKS; PARTS, directories of this one beside
# common; OBJECTS_OF_BOARD besides those of its C files; INTERRUPTS, the functions that interrupt; PRODUCTS besides these.
include $(SOURCE)/$(BOARD)/board.mk
.DEFAULT_GOAL := all

DIRECTORIES := $(addprefix $(SOURCE)/,common $(PARTS) $(BOARD))
include $(SOURCE)/flags.mk
CFLAGS  += -I$(OUT) $(addprefix -I,$(DIRECTORIES))
LDFLAGS += -Wl,-Map=$(NAME).map -T $(SOURCE)/$(BOARD)/memory.ld

C_FILES := $(wildcard $(addsuffix /*.c,$(DIRECTORIES)))
HEADERS := $(wildcard $(addsuffix /*.h,$(DIRECTORIES)) $(SOURCE)/common/generated/*.h) $(OUT)/wasm-rt.h $(OUT)/signer.c
OBJECTS := $(patsubst %.c,$(OUT)/%.o,$(notdir $(C_FILES))) $(OUT)/signer.o $(addprefix $(OUT)/,$(OBJECTS_OF_BOARD))
vpath %.c $(DIRECTORIES)
vpath %.S $(DIRECTORIES)

.PHONY: all
all: $(NAME).hex $(NAME).bin $(NAME).sym $(PRODUCTS)
	@node $(TOOLS)/report-size.js $(NAME).sym '$(INTERRUPTS)' $(OUT)/*.ci

$(OUT)/signer.c: $(MODULE) $(TOOLS)/translate.js $(TOOLS)/rewrite-checks.js
	@mkdir -p $(OUT)
	@wasm2c $< -n signer -o $@
	@node $(TOOLS)/translate.js $@

$(OUT)/wasm-rt.h: /usr/include/wasm-rt.h
	@mkdir -p $(OUT)
	@cp $< $@

$(OUT)/signer.o: $(OUT)/signer.c $(OUT)/wasm-rt.h firmware/boards/build.mk $(SOURCE)/$(BOARD)/board.mk
	@$(CROSS)gcc $(CFLAGS) $(LIBC) -w -c -o $@ $<

$(OUT)/%.o: %.c $(HEADERS)
	@$(CROSS)gcc $(CFLAGS) $(LIBC) $(WARN) -c -o $@ $<

$(OUT)/%.o: %.S
	@mkdir -p $(OUT)
	@$(CROSS)gcc $(CPU) -Wa,-I$(OUT) -c -o $@ $<

$(NAME).elf: $(OBJECTS) $(wildcard $(SOURCE)/$(BOARD)/*.ld)
	@$(CROSS)gcc $(LDFLAGS) $(LIBC) $(OBJECTS) -o $@

$(NAME).bin: $(NAME).elf
	@$(CROSS)objcopy -O binary $< $@

$(NAME).hex: $(NAME).elf
	@$(CROSS)objcopy -O ihex $< $@

$(NAME).sym: $(NAME).elf
	@$(CROSS)nm $< >$@
