// What the translated module needs of its surroundings: one memory, and a way out.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// The module's linear memory: MODULE_MEMORY_BYTES are what the build allows the module to use, and behind
// them lies what an
// access adds to an address as a constant, which the translated code compares with MODULE_MEMORY_BYTES alone.
extern uint8_t module_memory[MODULE_MEMORY_BYTES + MODULE_REACH_BYTES];

// `length` bytes of the module's memory at `address`; traps when they are not all inside.
uint8_t *module_span(uint32_t address, uint32_t length);
