#include "upload.h"

#include <stdbool.h>
#include <string.h>

#include "networks.h"
#include "oracle.h"
#include "secrets/keys.h"
#include "bytes.h"
#include "protocol.h"
#include "secrets/sha3.h"

enum { MAX_UPLOAD = 4400, SENDER_AT = 13, RECIPIENT_AT = 49, HASH_AT = 69, HASHED_LENGTH = 101 };

uint32_t chosen_account(uint8_t choice) {
  static const uint32_t accounts[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 883, 0};
  return accounts[choice % 8];
}

static void send_part(int ins, int p1, const uint8_t *data, int length) {
  uint8_t command[5 + 255] = {0xe0, (uint8_t)ins, (uint8_t)p1, 0, (uint8_t)length};
  memcpy(command + 5, data, (size_t)length);
  oracle_command(command, 5 + length);
}

static void send_chunks(int ins, const uint8_t *bytes, int length, int size, int flags) {
  if (flags & ONE_TOO_MANY) length++;
  for (int at = 0; at < length; at += size) {
    const int left = length - at;
    if (left <= size && (flags & NO_LAST_CHUNK)) return;
    send_part(ins, 1, bytes + at, left < size ? left : size);
  }
}

// Payload bytes of an account of this kind, −1 for an unknown kind.
static int payload_length(uint32_t kind) {
  static const uint8_t lengths[] = {32, 20, 0, 32, 20, 20, 20, 20, 32, 32, 32, 32, 32, 28, 20, 20, 20};
  return kind < sizeof lengths ? lengths[kind] : -1;
}

// Offset of the approver in a transaction, which follows recipient, fee and body; −1 if it is not found.
static int approver_at(const uint8_t *tx, int length) {
  if (length < RECIPIENT_AT + 4) return -1;
  const int recipient = payload_length(u32_at(tx + RECIPIENT_AT));
  const int body_at = RECIPIENT_AT + 4 + recipient + 8;
  if (recipient < 0 || body_at + 4 > length) return -1;
  const uint32_t body = u32_at(tx + body_at);
  return body > 64 || body_at + 4 + (int)body + 36 > length ? -1 : body_at + 4 + (int)body;
}

static void mend(uint8_t *tx, int length, int linked_length, int flags, uint32_t account) {
  if (account > 0x7fffffff) return;
  const uint8_t *own = keypair_of(account)->account;
  uint8_t *linked = tx + length;
  const int at = approver_at(linked, linked_length);
  if ((flags & OWN_SENDER) && length >= RECIPIENT_AT) memcpy(tx + SENDER_AT, own, 36);
  if ((flags & OWN_APPROVER) && at >= 0) memcpy(linked + at, own, 36);
  if (!(flags & LINK_HASH) || length < HASHED_LENGTH) return;
  sha3_256(tx + HASH_AT, &(part_t){linked, linked_length}, 1);
}

static void choose_genesis(uint8_t *out, uint8_t choice) {
  if (choice % 2 == 0) memcpy(out, networks[0], 32);
  else memset(out, choice, 32);
}

void upload_transaction(const uint8_t *payload, int length) {
  enum { CHOICES = 8 };
  static uint8_t bytes[MAX_UPLOAD + 1];
  uint8_t header[44 + 2 + 255];
  if (length < CHOICES) return;
  const int flags = payload[2], size = payload[3] == 0 ? 255 : payload[3];
  const int left = length - CHOICES, symbol = payload[5] % 16 < left ? payload[5] % 16 : left;
  const int sent = left - symbol < MAX_UPLOAD ? left - symbol : MAX_UPLOAD;
  const int linked = u16_at(payload + 6) < sent ? u16_at(payload + 6) : 0;
  const uint32_t account = chosen_account(payload[0]);
  memcpy(bytes, payload + CHOICES + symbol, (size_t)sent);
  mend(bytes, sent - linked, linked, flags, account);
  put_u32(header, account);
  choose_genesis(header + 4, payload[1]);
  put_u32(header + 36, (uint32_t)(sent - linked));
  put_u32(header + 40, (uint32_t)linked);
  header[44] = payload[4];
  header[45] = (uint8_t)symbol;
  memcpy(header + 46, payload + CHOICES, (size_t)symbol);
  send_part(SIGN_TX, 0, header, flags & TOKEN_TAIL ? 46 + symbol : 44);
  send_chunks(SIGN_TX, bytes, sent, size, flags);
}

void upload_message(const uint8_t *payload, int length) {
  enum { CHOICES = 4 };
  static uint8_t bytes[MAX_UPLOAD + 1];
  uint8_t header[8];
  if (length < CHOICES) return;
  const int flags = payload[1], size = payload[2] == 0 ? 255 : payload[2];
  const int sent = length - CHOICES < MAX_UPLOAD ? length - CHOICES : MAX_UPLOAD;
  memcpy(bytes, payload + CHOICES, (size_t)sent);
  for (int i = 0; i < sent && (flags & PRINTABLE); i++) {
    if (bytes[i] != '\n') bytes[i] = (uint8_t)(0x20 + bytes[i] % 95);
  }
  put_u32(header, chosen_account(payload[0]));
  put_u32(header + 4, (uint32_t)sent);
  send_part(SIGN_MESSAGE, 0, header, sizeof header);
  send_chunks(SIGN_MESSAGE, bytes, sent, size, flags);
}
