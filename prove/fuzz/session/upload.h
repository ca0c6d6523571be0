// The two commands that come in chunks, from a payload that says what to send and how.
#pragma once
#include <stdint.h>

// One of a few accounts, or an index that is none.
uint32_t chosen_account(uint8_t choice);

// Choices: account, chain, flags, bytes a chunk (0: 255), decimals, symbol length, length of what is linked
// u16le.
void upload_transaction(const uint8_t *payload, int length);
// Choices: account, flags, bytes a chunk (0: 255), one byte unused.
void upload_message(const uint8_t *payload, int length);

enum upload_flags {
  OWN_SENDER = 1,      // writes the chosen account over the sender
  LINK_HASH = 2,       // writes the hash of what is linked over the one in the body
  OWN_APPROVER = 4,    // writes the chosen account over the linked transaction's approver
  TOKEN_TAIL = 8,      // the header has a token tail
  NEARLY = 16,         // of a transaction: turns one bit of each account and hash that was written
  PRINTABLE = 16,      // of a message: makes every byte text
  NO_LAST_CHUNK = 32,  // stops one chunk early
  ONE_TOO_MANY = 64,   // sends a byte more than the header declared
};
