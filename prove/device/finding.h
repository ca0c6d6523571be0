#pragma once

// Reports an error of the firmware like printf, and ends the process with a crash that a fuzzer records.
_Noreturn void finding(const char *format, ...) __attribute__((format(printf, 1, 2)));
