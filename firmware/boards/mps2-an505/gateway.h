// What the other world may call, and where it is told so. Nothing else of this world can be reached from it.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// The memory that is given away, by its address there.
enum { NONSECURE_START = 0x28200000, NONSECURE_END = 0x28204000 };

typedef struct {
  // A report of the host; false while the last one waits, or when it is not in memory of the caller.
  bool (*give)(const uint8_t *report);
  // A report for the host, if there is one.
  bool (*take)(uint8_t *report);
  // The host went away.
  void (*lost)(void);
} gateway_t;

// At the end of that memory.
#define GATEWAY ((gateway_t *)(NONSECURE_END - sizeof(gateway_t)))
