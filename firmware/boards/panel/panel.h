// A panel at the other end of a UART, for a board whose display and keys it is.
#pragma once
#include <stdint.h>

// KEY_LEFT and KEY_RIGHT of the keys that are down.
extern volatile uint8_t panel_keys;
