CROSS := riscv64-unknown-elf-
# The instructions for CSRs are of the base set in this version of the specification, and the libraries are found by its name.
CPU   := -march=rv32imac -mabi=ilp32 -misa-spec=2.2
LIBC  := --specs=picolibc.specs
LINKS := 1
PARTS := serial panel
OBJECTS_OF_BOARD := start.o
# Words pass over the UART: for test seeds only (docs/KEYSTORE.md#platform).
KEYSTORE_OPTIONS := 4
# VAULT=model: with a model of a vault, whose noise a test supplies.
ifeq ($(VAULT),model)
PARTS            += vault-model
KEYSTORE_OPTIONS := 0x107
endif
INTERRUPTS       := trap_or_interrupt
