#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "device.h"
#include "finding.h"
#include "wasm-rt.h"

#ifdef GUARDED
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#endif

// The compiler places nothing below this address, so a null pointer is never valid.
enum { FIRST_STATIC = 64 };
static const size_t REACH = (size_t)8 << 30;
static uint8_t *page;

#if WASM_RT_USE_STACK_DEPTH_COUNT
uint32_t wasm_rt_call_stack_depth;
#endif

bool wasm_rt_is_initialized(void) { return true; }

void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t pages, uint32_t max_pages) {
  page = mmap(NULL, REACH, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (page == MAP_FAILED || pages != 1 || mprotect(page, PAGE_BYTES, PROT_READ | PROT_WRITE) != 0) {
    perror("cannot allocate memory for the module");
    exit(2);
  }
  *memory = (wasm_rt_memory_t){.data = page, .pages = pages, .max_pages = max_pages, .size = PAGE_BYTES};
}

void wasm_rt_free_memory(wasm_rt_memory_t *memory) { munmap(memory->data, REACH); }

uint32_t wasm_rt_register_func_type(uint32_t parameters, uint32_t results, ...) {
  return parameters + results;  // the module makes no indirect calls, so the value is unused
}

void wasm_rt_trap(wasm_rt_trap_t trap) {
  static const char *const reasons[] = {"none",        "out of bounds",     "integer overflow", "division by zero",
                                        "conversion",  "unreachable",       "indirect call",    "exception",
                                        "stack exhausted"};
  finding("the firmware trapped: %s", reasons[trap]);
}

void memory_guard(unsigned end) {
  ASAN_POISON_MEMORY_REGION(page, FIRST_STATIC);
  ASAN_POISON_MEMORY_REGION(page + end, PAGE_BYTES - end);
}

void memory_unguard(void) { ASAN_UNPOISON_MEMORY_REGION(page, PAGE_BYTES); }
