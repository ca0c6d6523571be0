// The functions that a translated module needs: a memory, and a trap.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// A module's linear memory: the bytes that the build allows, followed by the greatest constant that an access
// adds to its address, because the translated code only compares the address itself. The keystore is compiled
// with the second array instead of the first (build.mk).
extern uint8_t module_memory[MODULE_MEMORY_BYTES + MODULE_REACH_BYTES];
extern uint8_t keystore_memory[KEYSTORE_MEMORY_BYTES + MODULE_REACH_BYTES];

// `length` bytes of a module's memory at `address`; traps unless all of them are inside.
uint8_t *module_span(uint32_t address, uint32_t length);
uint8_t *keystore_span(uint32_t address, uint32_t length);
