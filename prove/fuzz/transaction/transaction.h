// An independent parser of the wire format (docs/TRANSACTION.md#wire-format,
// docs/TRANSACTION.md#signer-rules).
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint32_t kind;
  const uint8_t *payload;
  int length;
} account_t;

typedef struct {
  uint32_t type;
  uint64_t timestamp, fee;
  account_t sender, recipient;
  // SendZBC and TransferToken
  uint64_t amount;
  int64_t token_id;
  bool has_fee_flag, fee_in_token;
  // ApprovalEscrow
  uint32_t approval;
  const uint8_t *escrow_hash;
  bool has_escrow;
  account_t approver;
  uint64_t commission, timeout;
  const uint8_t *instruction;
  int instruction_length;
  bool multi_party;
  const uint8_t *message;
  int message_length;
} transaction_t;

// The status and the place of a refusal; `status` is 0 if nothing was refused.
typedef struct {
  int status, field, offset;
} refusal_t;

// Parses a transaction of `length` bytes, and the `linked_length` bytes after it, for a signer whose account
// is the 36 bytes `own`.
refusal_t read_transaction(transaction_t *main, transaction_t *linked, const uint8_t *bytes, int length,
                           int linked_length, const uint8_t *own);

// Payload bytes of an account of this kind, −1 for an unknown kind.
int payload_length(uint32_t kind);
