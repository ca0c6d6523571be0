# PORT: the prefix of the compiler, the core, and its C library; for a Cortex-M0 or M0+ also the multiplication of docs/PORTING.md.
CROSS      := arm-none-eabi-
CPU        := -mcpu=cortex-m3 -mthumb
LIBC       := --specs=nano.specs --specs=nosys.specs
# PORT: how many links there are; `serial` frames reports on a UART. Leave it out for USB.
LINKS      := 1
PARTS      := cortex-m serial
# PORT: describes the board to the keystore (docs/KEYSTORE.md#platform). 4: display and keys are a panel at the other
# end of a UART, over which words would pass, so the board is for test seeds only.
KEYSTORE_OPTIONS := 4
# PORT: every function that interrupts, for the bound of the stack.
INTERRUPTS := tick_interrupt uart_interrupt trap
