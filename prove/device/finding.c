#include "finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void finding(const char *format, ...) {
  va_list facts;
  va_start(facts, format);
  fputs("FINDING: ", stderr);
  vfprintf(stderr, format, facts);
  fputc('\n', stderr);
  va_end(facts);
  abort();
}
