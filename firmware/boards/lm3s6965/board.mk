CROSS      := arm-none-eabi-
CPU        := -mcpu=cortex-m3 -mthumb
CFLAGS_OF_BOARD := -O3
LIBC       := --specs=nano.specs --specs=nosys.specs
LINKS      := 1
PARTS      := cortex-m serial
# The board has neither noise nor a vault (docs/KEYSTORE.md#platform).
KEYSTORE_OPTIONS := 0
INTERRUPTS := tick_interrupt uart_interrupt trap
