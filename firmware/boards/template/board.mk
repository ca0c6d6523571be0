# PORT: set the prefix of the compiler, the core, and the C library. A Cortex-M0 or M0+ also needs the
# multiplication of docs/PORTING.md.
CROSS      := arm-none-eabi-
CPU        := -mcpu=cortex-m3 -mthumb
LIBC       := --specs=nano.specs --specs=nosys.specs
# PORT: set the number of links. The directory `serial` frames reports on a UART; omit it from PARTS for USB.
LINKS      := 1
PARTS      := cortex-m serial
# PORT: describe the board to the keystore (docs/KEYSTORE.md#platform). 4 means that display and keys are a
# panel at the other end of a UART. The words of a seed would pass over this UART, so the board is only for
# test seeds.
KEYSTORE_OPTIONS := 4
# PORT: list every function that handles an interrupt. The calculation of the largest stack needs this list.
INTERRUPTS := tick_interrupt uart_interrupt trap
