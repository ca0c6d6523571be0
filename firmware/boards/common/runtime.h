// What a translated module needs of its surroundings: a memory, and a way out.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// A module's linear memory: what the build allows it to use, and behind that what an access adds to an address
// as a constant, which the translated code compares with the former alone. The keystore is compiled with the
// second in place of the first (build.mk).
extern uint8_t module_memory[MODULE_MEMORY_BYTES + MODULE_REACH_BYTES];
extern uint8_t keystore_memory[KEYSTORE_MEMORY_BYTES + MODULE_REACH_BYTES];

// `length` bytes of a module's memory at `address`; traps when they are not all inside.
uint8_t *module_span(uint32_t address, uint32_t length);
uint8_t *keystore_span(uint32_t address, uint32_t length);
