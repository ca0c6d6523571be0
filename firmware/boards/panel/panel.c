// Display and keys of a board that has neither: a panel at the other end of a UART provides them.
#include <string.h>

#include "board.h"
#include "buttons.h"
#include "packets.h"

enum { PANEL_MICROSECONDS = 500000 };

static volatile uint8_t panel_keys;
static volatile uint8_t frame_number;
static volatile bool panel_shows;

void panel_take(uint8_t type, uint8_t value) {
  if (type == PACKET_KEYS) panel_keys = value & (KEY_LEFT | KEY_RIGHT);
  if (type == PACKET_SHOWN && value == frame_number) panel_shows = true;
}

uint8_t keys_down(void) { return panel_keys; }

bool display_show(const uint8_t frame[FRAME_BYTES]) {
  static uint8_t numbered[FRAME_BYTES + 1];
  frame_number++;
  panel_shows = false;
  memcpy(numbered, frame, FRAME_BYTES);
  numbered[FRAME_BYTES] = frame_number;
  packet_send(PACKET_FRAME, numbered, sizeof numbered);
  const uint32_t start = board_microseconds();
  while (!panel_shows && board_microseconds() - start < PANEL_MICROSECONDS) continue;
  return panel_shows;
}

bool display_took_late(void) { return panel_shows; }
