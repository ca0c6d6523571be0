// Runs the sessions of the archives on the command line, without a fuzzer.
#include "oracle.h"
#include "session/archive.h"

int main(int count, char **names) {
  oracle_create();
  for (int i = 1; i < count; i++) replay_archive(names[i]);
  oracle_print_tally();
  return 0;
}
