// What a review must show (docs/TRANSACTION.md#screens), formed here and not by the firmware.
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

// What the host says of a token; `decimals` is 255 and the symbol empty where it says nothing.
typedef struct {
  int decimals;
  int symbol_length;
  const uint8_t *symbol;
} token_hint_t;

// What the user turned on beside the rest; `shown` is off by default.
typedef struct {
  bool shown;
  uint32_t index;
} details_t;

void transaction_items(items_t *items, const uint8_t *genesis, const transaction_t *main, const transaction_t *linked,
                       token_hint_t hint, details_t details);
void message_items(items_t *items, const uint8_t *public_key, const uint8_t *message, int length);
// `details.shown` says whether the account's index comes first.
void address_items(items_t *items, const uint8_t *public_key, details_t details);

// The 66 characters of an address, and a closing zero.
void format_address(char *out, const uint8_t *public_key);
// Whether the chain stands in firmware/networks.json; its name, or NULL.
const char *network_name(const uint8_t *genesis);
