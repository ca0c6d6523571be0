#include "archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"
#include "bytes.h"

static uint8_t *read_file(const char *name, size_t *length) {
  FILE *file = fopen(name, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    perror(name);
    exit(2);
  }
  *length = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(*length + 1);
  if (!bytes || fread(bytes, 1, *length, file) != *length) exit(2);
  fclose(file);
  return bytes;
}

void replay_archive(const char *name) {
  size_t length;
  uint8_t *bytes = read_file(name, &length);
  for (size_t at = 0; at + 4 <= length;) {
    const uint32_t size = u32_at(bytes + at);
    if (size > length - at - 4) exit(2);
    // The copy lets AddressSanitizer detect a read beyond its end.
    uint8_t *session = malloc(size + 1);
    memcpy(session, bytes + at + 4, size);
    run_session(session, (int)size);
    free(session);
    at += 4 + size;
  }
  free(bytes);
}
