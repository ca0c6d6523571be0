#include "runtime.h"

#include <string.h>

#include "trap.h"
#include "wasm-rt.h"

__attribute__((aligned(8))) uint8_t module_memory[MODULE_MEMORY_BYTES + MODULE_REACH_BYTES];
__attribute__((aligned(8))) uint8_t keystore_memory[KEYSTORE_MEMORY_BYTES + MODULE_REACH_BYTES];

bool wasm_rt_is_initialized(void) { return true; }

// The modules make no indirect calls, so the result, which identifies a type, is never used.
uint32_t wasm_rt_register_func_type(uint32_t parameters, uint32_t results, ...) { return parameters + results; }

static void describe(wasm_rt_memory_t *memory, uint8_t *bytes, uint32_t size, uint32_t pages, uint32_t max_pages) {
  memset(bytes, 0, size + MODULE_REACH_BYTES);
  wasm_rt_memory_t described = {.data = bytes, .pages = pages, .max_pages = max_pages};
  described.size = size;
  *memory = described;
}

void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t pages, uint32_t max_pages) {
  describe(memory, module_memory, MODULE_MEMORY_BYTES, pages, max_pages);
}

// The keystore calls this function instead of wasm_rt_allocate_memory (build.mk).
void keystore_allocate_memory(wasm_rt_memory_t *memory, uint32_t pages, uint32_t max_pages) {
  describe(memory, keystore_memory, KEYSTORE_MEMORY_BYTES, pages, max_pages);
}

void wasm_rt_trap(wasm_rt_trap_t reason) {
  (void)reason;
  trap();
}

static uint8_t *span(uint8_t *memory, uint32_t size, uint32_t address, uint32_t length) {
  if (address > size || length > size - address) trap();
  return memory + address;
}

uint8_t *module_span(uint32_t address, uint32_t length) {
  return span(module_memory, MODULE_MEMORY_BYTES, address, length);
}

uint8_t *keystore_span(uint32_t address, uint32_t length) {
  return span(keystore_memory, KEYSTORE_MEMORY_BYTES, address, length);
}
