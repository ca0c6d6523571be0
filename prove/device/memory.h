// Linear memory for the translated module. A 32-bit address plus a 32-bit offset reaches 8 GiB, of which only
// the one page is there: a stray access faults at once, so the translated code needs no bounds checks.
#pragma once

// When built with GUARDED, which takes AddressSanitizer: forbids, or allows again, what lies outside the
// static memory (below 64 and from `end` on).
void memory_guard(unsigned end);
void memory_unguard(void);
