// The functions that the other world may call, and the place of their addresses. It can reach nothing else of
// this world.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// The memory given to the other world, by its address there.
enum { NONSECURE_START = 0x28200000, NONSECURE_END = 0x28204000 };

typedef struct {
  // Passes a report of the host; returns false while the last one waits, or if it is not in the caller's
  // memory.
  bool (*give)(const uint8_t *report);
  // Fetches a report for the host, if there is one.
  bool (*take)(uint8_t *report);
  // Notes that the host is gone.
  void (*lost)(void);
} gateway_t;

// The table lies at the end of that memory.
#define GATEWAY ((gateway_t *)(NONSECURE_END - sizeof(gateway_t)))
