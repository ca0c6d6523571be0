// Linear memory for the translated module. A 32-bit address plus a 32-bit offset reaches 8 GiB, of which only
// one page is mapped: a stray access faults at once, so the translated code needs no bounds checks.
#pragma once

// If GUARDED and AddressSanitizer are on, forbid or allow accesses outside the static memory, that is, below
// address 64 and from `end` on.
void memory_guard(unsigned end);
void memory_unguard(void);
