// Packets on a UART (docs/APDU.md#uart). A packet is a SLIP frame (RFC 1055), which contains a type, a body,
// and the CRC-32 of type and body.
#pragma once
#include <stdint.h>

enum {
  PACKET_REPORT = 'R',   // 64 bytes, in either direction
  PACKET_TAKEN = 'A',    // to the host, which may now send the next report
  PACKET_CONNECT = 'C',  // to the board, from a host that starts
  PACKET_FRAME = 'F',    // to a panel, with a frame and the number of the frame
  PACKET_SHOWN = 'S',    // from a panel, with the number of the frame that it shows
  PACKET_KEYS = 'K',     // from a panel, with the keys that are down
};

// Processes a received byte. Called in the interrupt.
void packets_take(uint8_t byte);
// Sends a packet. The body is at most as long as a frame and its number.
void packet_send(uint8_t type, const uint8_t *body, uint32_t length);

// The board supplies the functions below. uart_put() waits until it can send the byte. panel_take() handles a
// packet from a panel, whose body has at most one byte.
void uart_put(uint8_t byte);
void uart_start(void);
// Calls packets_take() for each byte that is waiting in the UART.
void uart_poll(void);
void panel_take(uint8_t type, uint8_t value);
