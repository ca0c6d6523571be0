#include "trap.h"
#include "update.h"
#include "verifier.h"
#include "platform.h"

int main(void) {
  verifier_start();
  update_and_start();
}

// After a bug, nothing is started.
void trap(void) {
  for (;;) wait_for_image();
}
