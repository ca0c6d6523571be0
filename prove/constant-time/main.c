// Runs the sessions of an archive under Memcheck with a seed marked as undefined.
#include "oracle.h"
#include "session/archive.h"
#include "taint.h"

int main(int count, char **names) {
  oracle_create();
  for (int i = 1; i < count; i++) replay_archive(names[i]);
  return is_constant_time() ? 0 : 1;
}
