CROSS := riscv64-unknown-elf-
# In version 2.2 of the specification, the CSR instructions belong to the base set. The compiler finds its
# libraries only with this version.
CPU   := -march=rv32imac -mabi=ilp32 -misa-spec=2.2
LIBC  := --specs=picolibc.specs
LINKS := 1
PARTS := serial panel
OBJECTS_OF_BOARD := start.o
# The words of the seed pass over the UART, so the board is only for test seeds (docs/KEYSTORE.md#platform).
KEYSTORE_OPTIONS := 4
# VAULT=model adds a model of a vault. A test supplies its noise.
ifeq ($(VAULT),model)
PARTS            += vault-model
KEYSTORE_OPTIONS := 0x107
endif
INTERRUPTS       := trap_or_interrupt
