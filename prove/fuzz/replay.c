// Runs sessions without a fuzzer: those of the archives named on the command line.
#include <string.h>

#include "archive.h"
#include "device.h"
#include "oracle.h"
#include "test-seed.h"

int main(int count, char **names) {
  memcpy(platform.seed, test_seed, SEED_BYTES);
  device_create();
  for (int i = 1; i < count; i++) replay_archive(names[i]);
  oracle_print_tally();
  return 0;
}
