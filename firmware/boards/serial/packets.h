// Packets on a UART (docs/APDU.md#uart): frames of SLIP (RFC 1055), each a type, a body and the CRC-32 of
// both.
#pragma once
#include <stdint.h>

enum {
  PACKET_REPORT = 'R',   // 64 bytes, in either direction
  PACKET_TAKEN = 'A',    // to the host: it may send the next report
  PACKET_CONNECT = 'C',  // to the board: a host starts
  PACKET_FRAME = 'F',    // to a panel: a frame and its number
  PACKET_SHOWN = 'S',    // from a panel: it shows the frame of this number
  PACKET_KEYS = 'K',     // from a panel: the keys that are down
};

// Takes a received byte; called in the interrupt.
void packets_take(uint8_t byte);
// Sends at most a frame and its number.
void packet_send(uint8_t type, const uint8_t *body, uint32_t length);

// Supplied by a board: sending a byte when there is room, and handling a panel's packets, whose body has at
// most one byte.
void uart_put(uint8_t byte);
void uart_start(void);
// Calls packets_take() for waiting bytes.
void uart_poll(void);
void panel_take(uint8_t type, uint8_t value);
