#include "board.h"
#include "exchange.h"

int main(void) {
  board_start();
  exchange_start();
  links_start();
  for (;;)
    if (!exchange_step()) board_sleep();
}
