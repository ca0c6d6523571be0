#include "trap.h"
#include "update.h"
#include "verifier.h"
#include "platform.h"

int main(void) {
  verifier_start();
  update_and_start();
}

// After an internal error, the loader does not start an image.
void trap(void) {
  for (;;) wait_for_image();
}
