#include "trap.h"

#include <string.h>

#include "board.h"
#include "exchange.h"
#include "runtime.h"

enum { ANSWER_MILLISECONDS = 50, MICROSECONDS = 1000 };

// board_begin_trap() starts a time limit, which works even if the rest of the board does not.
void trap(void) {
  board_begin_trap(2 * ANSWER_MILLISECONDS);
  memset(module_memory, 0, sizeof module_memory);
  memset(keystore_memory, 0, sizeof keystore_memory);
  exchange_answer_internal();
  const uint32_t start = board_microseconds();
  while (!exchange_is_answered() && board_microseconds() - start < ANSWER_MILLISECONDS * MICROSECONDS) links_poll();
  board_wipe_and_reset();
}
