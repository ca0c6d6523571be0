// Runs the sessions of an archive under Memcheck with a seed that is marked undefined.
#include <string.h>

#include "archive.h"
#include "device.h"
#include "taint.h"
#include "test-seed.h"

int main(int count, char **names) {
  memcpy(platform.seed, test_seed, SEED_BYTES);
  device_create();
  for (int i = 1; i < count; i++) replay_archive(names[i]);
  return is_constant_time() ? 0 : 1;
}
