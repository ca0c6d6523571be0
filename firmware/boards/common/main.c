#include "board.h"
#include "exchange.h"

int main(void) {
  board_start();
  exchange_start();
  links_start();
  for (;;) {
    board_begin_turn();
    if (!exchange_step()) board_sleep();
  }
}
