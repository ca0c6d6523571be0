#pragma once

// Says what the firmware did wrong, in the words of printf, and ends the process as a crash that a fuzzer
// keeps.
_Noreturn void finding(const char *format, ...) __attribute__((format(printf, 1, 2)));
