// The memory of the translated modules.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// The linear memory of each module. The translated code only checks the address of an access, without the
// constant offset that is added to it. Therefore the module's bytes are followed by MODULE_REACH_BYTES, the
// largest such offset. The keystore is compiled with the second array instead of the first (build.mk).
extern uint8_t module_memory[MODULE_MEMORY_BYTES + MODULE_REACH_BYTES];
extern uint8_t keystore_memory[KEYSTORE_MEMORY_BYTES + MODULE_REACH_BYTES];

// Returns a pointer to `length` bytes of a module's memory at `address`. Traps if a byte is outside the
// memory.
uint8_t *module_span(uint32_t address, uint32_t length);
uint8_t *keystore_span(uint32_t address, uint32_t length);
