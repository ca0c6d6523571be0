// The required items of a review (docs/TRANSACTION.md#screens), independent of the firmware.
#pragma once
#include <stdint.h>

#include "transaction.h"

enum { MAX_ITEMS = 26, MAX_VALUE = 2200 };

typedef struct {
  const char *title;
  uint8_t value[MAX_VALUE];
  int length;
} item_t;

typedef struct {
  int count;
  item_t items[MAX_ITEMS];
} items_t;

// The host's details of a token. If they are not reported, `decimals` is 255 and the symbol is empty.
typedef struct {
  int decimals;
  int symbol_length;
  const uint8_t *symbol;
} token_hint_t;

// Whether the user has enabled details (off by default), and the account index, which is one of the details.
typedef struct {
  bool shown;
  uint32_t index;
} details_t;

void transaction_items(items_t *items, const uint8_t *genesis, const transaction_t *main, const transaction_t *linked,
                       token_hint_t hint, details_t details);
void message_items(items_t *items, const uint8_t *public_key, const uint8_t *message, int length);
// `details.shown` adds the account's index as the first item.
void address_items(items_t *items, const uint8_t *public_key, details_t details);

// The 66 characters of an address, zero-terminated.
void format_address(char *out, const uint8_t *public_key);
// The chain's name in firmware/networks.json, or NULL.
const char *network_name(const uint8_t *genesis);
