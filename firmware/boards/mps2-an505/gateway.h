// The functions of the secure world that the non-secure world may call, and the table of their addresses. The
// non-secure world can access nothing else of the secure world.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// The memory of the non-secure world, at its non-secure addresses.
enum { NONSECURE_START = 0x28200000, NONSECURE_END = 0x28204000 };

typedef struct {
  // Passes a report from the host to the signer. Returns false if the previous report is not read yet, or if
  // the caller may not access the memory of the report.
  bool (*give)(const uint8_t *report);
  // Copies a report for the host. Returns false if no report is waiting.
  bool (*take)(uint8_t *report);
  // Reports that the host has disconnected.
  void (*lost)(void);
} gateway_t;

// The table of addresses is at the end of the memory of the non-secure world.
#define GATEWAY ((gateway_t *)(NONSECURE_END - sizeof(gateway_t)))
