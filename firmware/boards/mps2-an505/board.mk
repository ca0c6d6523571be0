CROSS := arm-none-eabi-
CPU   := -mcpu=cortex-m33+nofp -mthumb
CFLAGS_OF_BOARD  := -mcmse
LIBC  := --specs=nano.specs --specs=nosys.specs
LINKS := 1
PARTS := cortex-m serial panel
OBJECTS_OF_BOARD := world.o
# The words of the seed pass over the panel's UART, so the board is only for test seeds
# (docs/KEYSTORE.md#platform).
KEYSTORE_OPTIONS := 4
# VAULT=model adds a model of a vault. A test supplies its noise.
ifeq ($(VAULT),model)
PARTS            += vault-model
KEYSTORE_OPTIONS := 0x107
endif
INTERRUPTS := tick_interrupt uart_interrupt trap gateway_give gateway_take gateway_lost

# The image of the non-secure world. The secure image contains it, and copies it to the memory of that world.
NONSECURE_FILES := $(wildcard $(SOURCE)/$(BOARD)/nonsecure/*) $(addprefix $(SOURCE)/,$(BOARD)/uart.c serial/packets.c common/crc32.c)

$(OUT)/nonsecure.elf: $(NONSECURE_FILES) $(SOURCE)/$(BOARD)/registers.h $(SOURCE)/$(BOARD)/gateway.h
	@mkdir -p $(OUT)
	@$(CROSS)gcc $(CPU) -DNONSECURE -O2 -g -std=gnu11 -ffreestanding $(WARN) $(addprefix -I,$(BOARD_DIRECTORIES)) -nostartfiles \
	  -Wl,--gc-sections -T $(SOURCE)/$(BOARD)/nonsecure/memory.ld $(LIBC) $(filter %.c,$^) -o $@
	@$(CROSS)nm $@ >$(OUT)/nonsecure.sym

$(OUT)/nonsecure.bin: $(OUT)/nonsecure.elf
	@$(CROSS)objcopy -O binary $< $@

$(OUT)/world.o: $(OUT)/nonsecure.bin
