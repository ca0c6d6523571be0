// Packets on a UART (docs/APDU.md#uart): frames of SLIP (RFC 1055), each a type, a body and the CRC-32 of
// both.
#pragma once
#include <stdint.h>

enum {
  PACKET_REPORT = 'R',   // 64 bytes, either way
  PACKET_TAKEN = 'A',    // to the host: it may send the next report
  PACKET_CONNECT = 'C',  // to the board: a host begins anew
  PACKET_FRAME = 'F',    // to a panel: a frame and its number
  PACKET_SHOWN = 'S',    // of a panel: it shows the frame of this number
  PACKET_KEYS = 'K',     // of a panel: the keys that are down
};

// Takes a byte that was received; in the interrupt.
void packets_take(uint8_t byte);
// At most a frame and its number.
void packet_send(uint8_t type, const uint8_t *body, uint32_t length);

// What a board supplies: it sends a byte when there is room, and takes the packets of a panel, whose body has
// a byte or none.
void uart_put(uint8_t byte);
void uart_start(void);
// Calls packets_take() for what waits.
void uart_poll(void);
void panel_take(uint8_t type, uint8_t value);
