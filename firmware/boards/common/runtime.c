#include "runtime.h"

#include <string.h>

#include "trap.h"
#include "wasm-rt.h"

__attribute__((aligned(8))) uint8_t module_memory[MODULE_MEMORY_BYTES + MODULE_REACH_BYTES];

bool wasm_rt_is_initialized(void) { return true; }

// The module calls nothing indirectly, so no type is ever compared.
uint32_t wasm_rt_register_func_type(uint32_t parameters, uint32_t results, ...) { return parameters + results; }

void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t pages, uint32_t max_pages) {
  memset(module_memory, 0, sizeof module_memory);
  wasm_rt_memory_t described = {.data = module_memory, .pages = pages, .max_pages = max_pages};
  described.size = MODULE_MEMORY_BYTES;
  *memory = described;
}

void wasm_rt_trap(wasm_rt_trap_t reason) {
  (void)reason;
  trap();
}

uint8_t *module_span(uint32_t address, uint32_t length) {
  if (address > MODULE_MEMORY_BYTES || length > MODULE_MEMORY_BYTES - address) trap();
  return module_memory + address;
}
