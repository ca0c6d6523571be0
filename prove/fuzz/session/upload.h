// Sends SIGN_TX and SIGN_MESSAGE. The fuzzer's payload determines their content and their chunks.
#pragma once
#include <stdint.h>

// Returns one of a few accounts, or an invalid index.
uint32_t chosen_account(uint8_t choice);

// The payload begins with one byte each for account, chain, flags, bytes per chunk (0 means 255), decimals
// and symbol length, and with the length of the linked bytes (u16le).
void upload_transaction(const uint8_t *payload, int length);
// The payload begins with one byte each for account, flags, bytes per chunk (0 means 255), and an unused
// byte.
void upload_message(const uint8_t *payload, int length);

enum upload_flags {
  OWN_SENDER = 1,      // replaces the sender by the chosen account
  LINK_HASH = 2,       // replaces the hash in the body by that of the linked bytes
  OWN_APPROVER = 4,    // replaces the linked transaction's approver by the chosen account
  TOKEN_TAIL = 8,      // the header has a token tail
  PRINTABLE = 16,      // for a message: turns every byte into text
  NO_LAST_CHUNK = 32,  // stops one chunk early
  ONE_TOO_MANY = 64,   // sends a byte more than the header declared
};
