#include "transaction.h"

#include <string.h>

#include "bytes.h"
#include "protocol.h"
#include "sha3.h"

enum { ACCOUNT_BYTES = 36, LINKED_FIELD = 12 };

typedef struct {
  const uint8_t *bytes;
  int length, at, field;
  bool linked;
  refusal_t refusal;
} reader_t;

static void refuse(reader_t *reader, int status, int offset) {
  if (reader->refusal.status != 0) return;
  reader->refusal = (refusal_t){status, reader->linked ? LINKED_FIELD : reader->field, offset};
}

// The next `length` bytes, or zeros if the reader has refused or too few remain.
static const uint8_t *next(reader_t *reader, uint32_t length) {
  static const uint8_t zeros[40];
  if (reader->refusal.status == 0 && length > (uint32_t)(reader->length - reader->at)) {
    refuse(reader, MALFORMED, reader->at);
  }
  if (reader->refusal.status != 0) return zeros;
  reader->at += (int)length;
  return reader->bytes + reader->at - length;
}

int payload_length(uint32_t kind) {
  static const uint8_t lengths[] = {32, 20, 0, 32, 20, 20, 20, 20, 32, 32, 32, 32, 32, 28, 20, 20, 20};
  return kind < sizeof lengths ? lengths[kind] : -1;
}

static void read_recipient(reader_t *reader, transaction_t *tx) {
  reader->field = 5;
  const int at = reader->at;
  const uint32_t kind = u32_at(next(reader, 4));
  const int length = payload_length(kind);
  const bool none = kind == 2;
  if (length < 0 || none != (tx->type == APPROVAL_ESCROW)) refuse(reader, MALFORMED, at);
  if (reader->refusal.status != 0) return;
  tx->recipient = (account_t){kind, next(reader, (uint32_t)length), length};
}

static void read_token(reader_t *reader, transaction_t *tx, uint32_t length) {
  int at = reader->at;
  tx->token_id = (int64_t)u64_at(next(reader, 8));
  if (tx->token_id == 0) refuse(reader, MALFORMED, at);
  at = reader->at;
  tx->amount = u64_at(next(reader, 8));
  if (tx->amount >> 63) refuse(reader, MALFORMED, at);
  tx->has_fee_flag = length == 17;
  if (!tx->has_fee_flag) return;
  at = reader->at;
  const uint8_t flag = *next(reader, 1);
  if (flag > 1) refuse(reader, MALFORMED, at);
  tx->fee_in_token = flag == 1;
}

static void read_body(reader_t *reader, transaction_t *tx) {
  reader->field = 7;
  int at = reader->at;
  const uint32_t length = u32_at(next(reader, 4));
  const bool fits = tx->type == SEND_ZBC         ? length == 8
                    : tx->type == APPROVAL_ESCROW ? length == 36
                                                  : length == 16 || length == 17;
  if (!fits) refuse(reader, MALFORMED, at);
  reader->field = 8;
  if (tx->type == SEND_ZBC) tx->amount = u64_at(next(reader, 8));
  if (tx->type == TRANSFER_TOKEN) read_token(reader, tx, length);
  if (tx->type != APPROVAL_ESCROW) return;
  at = reader->at;
  tx->approval = u32_at(next(reader, 4));
  if (tx->approval > 1) refuse(reader, MALFORMED, at);
  tx->escrow_hash = next(reader, 32);
}

static void read_escrow(reader_t *reader, transaction_t *tx, const uint8_t *own) {
  reader->field = 9;
  int at = reader->at;
  const uint32_t kind = u32_at(next(reader, 4));
  tx->has_escrow = kind != 2;
  if (!tx->has_escrow && reader->linked) refuse(reader, MALFORMED, at);
  if (!tx->has_escrow) return;
  if (tx->type == APPROVAL_ESCROW) refuse(reader, MALFORMED, at);
  if (payload_length(kind) != 32) refuse(reader, MALFORMED, at);
  tx->approver = (account_t){kind, next(reader, 32), 32};
  if (reader->refusal.status != 0) return;
  if (reader->linked && memcmp(reader->bytes + at, own, ACCOUNT_BYTES) != 0) refuse(reader, SENDER_MISMATCH, at);
  tx->commission = u64_at(next(reader, 8));
  at = reader->at;
  tx->timeout = u64_at(next(reader, 8));
  if (!reader->linked && tx->timeout <= tx->timestamp) refuse(reader, MALFORMED, at);
  at = reader->at;
  const uint32_t length = u32_at(next(reader, 4));
  if (!reader->linked && length > 512) refuse(reader, TOO_LARGE, at);
  tx->instruction = next(reader, length);
  tx->instruction_length = (int)length;
  at = reader->at;
  const uint8_t flag = *next(reader, 1);
  if (flag > 1) refuse(reader, MALFORMED, at);
  tx->multi_party = flag == 1;
}

static void read_front(reader_t *reader, transaction_t *tx, const uint8_t *own) {
  reader->field = 1;
  tx->type = u32_at(next(reader, 4));
  const bool known = tx->type == SEND_ZBC || tx->type == TRANSFER_TOKEN ||
                     (tx->type == APPROVAL_ESCROW && !reader->linked);
  if (!known) refuse(reader, reader->linked ? MALFORMED : UNSUPPORTED_TYPE, 0);
  reader->field = 2;
  if (*next(reader, 1) != 1) refuse(reader, MALFORMED, 4);
  reader->field = 3;
  tx->timestamp = u64_at(next(reader, 8));
  if (tx->timestamp == 0) refuse(reader, MALFORMED, 5);
  reader->field = 4;
  const int at = reader->at;
  const uint32_t kind = u32_at(next(reader, 4));
  if (reader->linked && kind != 0) refuse(reader, MALFORMED, at);
  tx->sender = (account_t){kind, next(reader, 32), 32};
  if (reader->refusal.status != 0) return;
  if (!reader->linked && memcmp(reader->bytes + at, own, ACCOUNT_BYTES) != 0) refuse(reader, SENDER_MISMATCH, at);
}

static void read_fields(reader_t *reader, transaction_t *tx, const uint8_t *own) {
  memset(tx, 0, sizeof *tx);
  read_front(reader, tx, own);
  read_recipient(reader, tx);
  reader->field = 6;
  tx->fee = u64_at(next(reader, 8));
  read_body(reader, tx);
  read_escrow(reader, tx, own);
  reader->field = 10;
  const int at = reader->at;
  const uint32_t length = u32_at(next(reader, 4));
  if (!reader->linked && length > 256) refuse(reader, TOO_LARGE, at);
  reader->field = 11;
  tx->message = next(reader, length);
  tx->message_length = (int)length;
}

// Offset of the hash in an ApprovalEscrow. Type, version, timestamp, sender, the kind of the absent
// recipient, fee, body length and decision precede it.
enum { HASH_AT = 4 + 1 + 8 + 36 + 4 + 8 + 4 + 4 };

static refusal_t read_linked(transaction_t *tx, const uint8_t *bytes, int length, const uint8_t *named,
                             const uint8_t *own) {
  uint8_t hash[32];
  sha3_256(hash, &(part_t){bytes, length}, 1);
  if (memcmp(hash, named, 32) != 0) return (refusal_t){ESCROW_HASH_MISMATCH, 8, HASH_AT};
  reader_t reader = {.bytes = bytes, .length = length, .linked = true};
  read_fields(&reader, tx, own);
  if (length - reader.at != 64) refuse(&reader, MALFORMED, reader.at);
  return reader.refusal;
}

refusal_t read_transaction(transaction_t *main, transaction_t *linked, const uint8_t *bytes, int length,
                           int linked_length, const uint8_t *own) {
  reader_t reader = {.bytes = bytes, .length = length};
  read_fields(&reader, main, own);
  if (reader.at != length) refuse(&reader, MALFORMED, reader.at);
  if (reader.refusal.status != 0) return reader.refusal;
  if (main->type == APPROVAL_ESCROW) return read_linked(linked, bytes + length, linked_length, bytes + HASH_AT, own);
  if (linked_length != 0) return (refusal_t){MALFORMED, LINKED_FIELD, 0};
  return reader.refusal;
}
