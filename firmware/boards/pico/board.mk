CROSS := arm-none-eabi-
CPU   := -mcpu=cortex-m0plus -mthumb
# Without this option, gcc takes accesses to low addresses, where the boot ROM is, for dereferenced null
# pointers.
CFLAGS_OF_BOARD  := --param=min-pagesize=0 -masm-syntax-unified
LIBC             := --specs=nano.specs --specs=nosys.specs
LINKS            := 2
OBJECTS_OF_BOARD := armv6m-multiply.o boot2-image.o
INTERRUPTS       := usb_interrupt timer_interrupt trap
# The board has noise with one bit of entropy per byte (docs/KEYSTORE.md#platform).
KEYSTORE_OPTIONS := 0x101
PRODUCTS         := $(NAME).uf2
# Sources that loader.mk needs in addition to loader and pico/loader.
LOADER_PARTS      := common/crc32.c $(if $(wildcard $(SOURCE)/common/product.c),common/product.c) common/runtime.c pico/board.c pico/flash.c pico/start.c
LOADER_INTERRUPTS := trap

$(OUT)/boot2.bin: $(OUT)/boot2.o $(TOOLS)/boot2.js
	@$(CROSS)objcopy -O binary -j .boot2 $< $(OUT)/boot2-code.bin
	@node $(TOOLS)/boot2.js $(OUT)/boot2-code.bin $@

$(OUT)/boot2-image.o: $(OUT)/boot2.bin

$(NAME).uf2: $(NAME).bin $(TOOLS)/make-uf2.js
	@node $(TOOLS)/make-uf2.js $(BOARD) $< $@
