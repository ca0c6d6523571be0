#include "packets.h"

#include <stdbool.h>
#include <string.h>

#include "board.h"
#include "crc32.h"

enum { END = 0xC0, ESCAPE = 0xDB, ESCAPED_END = 0xDC, ESCAPED_ESCAPE = 0xDD };
enum { CRC_BYTES = 4, MAX_PACKET = 1 + REPORT_BYTES + CRC_BYTES };

static uint8_t packet[MAX_PACKET];
static uint32_t taken;  // bytes received; above MAX_PACKET if the packet is too long or has an invalid escape
static bool escaped;

static uint8_t received[REPORT_BYTES];
static volatile bool has_received, lost;

static uint32_t word_at(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// Handles a received packet. A report that the host sends before the previous one is released is dropped.
static void dispatch(uint8_t type, const uint8_t *body, uint32_t length) {
  if (type == PACKET_REPORT && length == REPORT_BYTES && !has_received) {
    memcpy(received, body, REPORT_BYTES);
    has_received = true;
  } else if (type == PACKET_CONNECT && length == 0) {
    has_received = false;
    lost = true;
  } else if (length <= 1) {
    panel_take(type, length ? body[0] : 0);
  }
}

static void finish(void) {
  const uint32_t length = taken;
  taken = 0;
  if (escaped || length < 1 + CRC_BYTES || length > MAX_PACKET) return;
  const uint32_t content = length - CRC_BYTES;
  if (crc32(packet, content) == word_at(packet + content)) dispatch(packet[0], packet + 1, content - 1);
}

void packets_take(uint8_t byte) {
  if (byte == END) {
    finish();
    escaped = false;
    return;
  }
  if (byte == ESCAPE && !escaped) {
    escaped = true;
    return;
  }
  if (escaped && byte != ESCAPED_END && byte != ESCAPED_ESCAPE) taken = MAX_PACKET + 1;
  if (escaped) byte = byte == ESCAPED_END ? END : ESCAPE;
  escaped = false;
  if (taken < MAX_PACKET) packet[taken] = byte;
  if (taken <= MAX_PACKET) taken++;
}

static void put_escaped(const uint8_t *bytes, uint32_t length) {
  for (uint32_t i = 0; i < length; i++) {
    const uint8_t byte = bytes[i];
    if (byte == END || byte == ESCAPE) {
      uart_put(ESCAPE);
      uart_put(byte == END ? ESCAPED_END : ESCAPED_ESCAPE);
    } else {
      uart_put(byte);
    }
  }
}

void packet_send(uint8_t type, const uint8_t *body, uint32_t length) {
  static uint8_t content[1 + FRAME_BYTES + 1 + CRC_BYTES];
  content[0] = type;
  memcpy(content + 1, body, length);
  const uint32_t crc = crc32(content, 1 + length);
  for (int i = 0; i < CRC_BYTES; i++) content[1 + length + (uint32_t)i] = (uint8_t)(crc >> 8 * i);
  uart_put(END);
  put_escaped(content, 1 + length + CRC_BYTES);
  uart_put(END);
}

// If only the panel uses packets, the board defines these functions for its other links.
#define BY_DEFAULT __attribute__((weak))

BY_DEFAULT void links_start(void) {
  uart_start();
  packet_send(PACKET_TAKEN, received, 0);
}

BY_DEFAULT void links_poll(void) { uart_poll(); }

BY_DEFAULT bool links_lost(void) {
  const bool was_lost = lost;
  if (!was_lost) return false;
  lost = false;
  packet_send(PACKET_TAKEN, received, 0);
  return true;
}

BY_DEFAULT const uint8_t *link_received(int link) {
  (void)link;
  return has_received ? received : 0;
}

BY_DEFAULT void link_done(int link) {
  (void)link;
  has_received = false;
  packet_send(PACKET_TAKEN, received, 0);
}

BY_DEFAULT bool link_can_send(int link) {
  (void)link;
  return true;
}

BY_DEFAULT void link_send(int link) {
  (void)link;
  packet_send(PACKET_REPORT, outgoing_report, REPORT_BYTES);
}
