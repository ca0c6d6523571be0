#include "items.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "networks.h"
#include "protocol.h"
#include "sha3.h"

static void add(items_t *items, const char *title, const void *value, int length) {
  item_t *item = &items->items[items->count++];
  item->title = title;
  item->length = length;
  memcpy(item->value, value, (size_t)length);
}

__attribute__((format(printf, 3, 4))) static void put(items_t *items, const char *title, const char *format, ...) {
  char value[200];
  va_list facts;
  va_start(facts, format);
  const int length = vsnprintf(value, sizeof value, format, facts);
  va_end(facts);
  add(items, title, value, length);
}

static void format_hex(char *out, const uint8_t *bytes, int length) {
  for (int i = 0; i < length; i++) sprintf(out + 2 * i, "%02x", bytes[i]);
}

void format_address(char *out, const uint8_t *public_key) {
  uint8_t bytes[32 + 32];
  memcpy(bytes, public_key, 32);
  sha3_256(bytes + 32, (part_t[]){{public_key, 32}, {"ZBC", 3}}, 2);
  char *at = out + sprintf(out, "ZBC");
  for (int digit = 0; digit < 56; digit++) {
    int value = 0;
    for (int bit = 5 * digit; bit < 5 * digit + 5; bit++) value = value << 1 | (bytes[bit / 8] >> (7 - bit % 8) & 1);
    if (digit % 8 == 0) *at++ = '_';
    *at++ = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[value];
  }
  *at = 0;
}

static void put_account(items_t *items, const char *title, account_t account) {
  static const char *const kinds[] = {"",        "Bitcoin",        "",         "Estonian eID", "Ethereum", "Bitcoin P2PKH",
                                      "Bitcoin P2SH", "Bitcoin P2WPKH", "Bitcoin P2WSH", "Bitcoin Taproot", "Dataset",
                                      "Solana",  "Polkadot",       "Cardano",  "XRP",          "Tron",     "Tezos"};
  char text[67];
  if (account.kind == 0) {
    format_address(text, account.payload);
    put(items, title, "%s", text);
    return;
  }
  format_hex(text, account.payload, account.length);
  put(items, title, "%s %s", kinds[account.kind], text);
}

// Formats a decimal number into `out` without trailing zeros, and returns `out`.
static char *format_scaled(char *out, unsigned __int128 value, int decimals) {
  char digits[50];
  int count = 0;
  while (value != 0 || count <= decimals) {
    digits[count++] = (char)('0' + (int)(value % 10));
    value /= 10;
  }
  int last = 0;
  while (last < decimals && digits[last] == '0') last++;
  char *at = out;
  for (int i = count - 1; i >= last; i--) {
    *at++ = digits[i];
    if (i == decimals && i > last) *at++ = '.';
  }
  *at = 0;
  return out;
}

static void put_coins(items_t *items, const char *title, unsigned __int128 atoms) {
  char number[60];
  put(items, title, "%s ZBC", format_scaled(number, atoms, 8));
}

static void put_time(items_t *items, const char *title, uint64_t seconds) {
  char text[40];
  const time_t time = (time_t)seconds;
  struct tm date;
  if (seconds >= 253402300800u) {
    put(items, title, "%" PRIu64 " (Unix seconds)", seconds);
    return;
  }
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", gmtime_r(&time, &date));
  // glibc writes years below 1000 with fewer digits, but no year is below 1970.
  put(items, title, "%s", text);
}

static bool is_text(const uint8_t *bytes, int length) {
  for (int i = 0; i < length; i++) {
    if (bytes[i] != '\n' && (bytes[i] < 0x20 || bytes[i] > 0x7e)) return false;
  }
  return true;
}

static void put_hash(items_t *items, const char *title, const uint8_t *hash) {
  char hex[65];
  format_hex(hex, hash, 32);
  put(items, title, "%s", hex);
}

// `hash_title` is NULL if details are hidden.
static void put_text(items_t *items, const char *title, const char *hash_title, const uint8_t *bytes, int length) {
  if (length == 0) return;
  if (is_text(bytes, length)) {
    add(items, title, bytes, length);
    return;
  }
  uint8_t hash[32];
  char hex[9];
  sha3_256(hash, &(part_t){bytes, length}, 1);
  format_hex(hex, hash, 4);
  put(items, title, "%d bytes (binary) %s", length, hex);
  if (hash_title) put_hash(items, hash_title, hash);
}

static void put_index(items_t *items, uint32_t index) { put(items, "Account index", "%" PRIu32, index); }

static void put_terms(items_t *items, const transaction_t *tx, bool with_total, bool details) {
  put_coins(items, "Escrow commission", tx->commission);
  if (with_total) put_coins(items, "Total with commission", (unsigned __int128)tx->amount + tx->fee + tx->commission);
  put_time(items, "Escrow timeout", tx->timeout);
  put_text(items, "Escrow instruction", details ? "Escrow instruction hash" : NULL, tx->instruction, tx->instruction_length);
  if (tx->multi_party) put(items, "Escrow multi-party", "Yes");
}

static void put_token_amount(items_t *items, const char *title, uint64_t amount) {
  put(items, title, "%" PRIu64 " atomic units", amount);
}

static void put_hint(items_t *items, uint64_t amount, token_hint_t hint) {
  static const char title[] = "As reported by the app";
  char number[60];
  if (hint.decimals == 255 && hint.symbol_length == 0) return;
  const int symbol = hint.symbol_length;
  format_scaled(number, amount, hint.decimals == 255 ? 0 : hint.decimals);
  put(items, title, "%s%s%s%.*s", number, hint.decimals == 255 ? " atomic units" : "", symbol ? " " : "", symbol,
      (const char *)hint.symbol);
}

static void put_token(items_t *items, const transaction_t *tx, token_hint_t hint) {
  put(items, "Token", "%" PRId64, tx->token_id);
  put_token_amount(items, "Token amount", tx->amount);
  put_hint(items, tx->amount, hint);
  if (tx->has_fee_flag) put(items, "Fee in token", "%s", tx->fee_in_token ? "Yes" : "No");
}

static const char *type_name(uint32_t type) {
  return type == SEND_ZBC ? "Send ZBC" : type == TRANSFER_TOKEN ? "Send token" : "Approve escrow";
}

static void put_approval(items_t *items, const transaction_t *tx, const transaction_t *linked, bool details) {
  put(items, "Escrow decision", "%s", tx->approval == 0 ? "APPROVE" : "REJECT");
  if (details) put_hash(items, "Escrow transaction", tx->escrow_hash);
  put(items, "Escrow type", "%s", type_name(linked->type));
  if (details) {
    put_time(items, "Escrow timestamp", linked->timestamp);
    put_coins(items, "Escrow fee", linked->fee);
  }
  if (linked->type == SEND_ZBC) {
    put_coins(items, "Escrow amount", linked->amount);
  } else {
    put(items, "Escrow token", "%" PRId64, linked->token_id);
    put_token_amount(items, "Escrow token amount", linked->amount);
  }
  put_account(items, "Escrow sender", linked->sender);
  put_account(items, "Escrow recipient", linked->recipient);
  put_terms(items, linked, false, details);
  put_text(items, "Escrow message", details ? "Escrow message hash" : NULL, linked->message, linked->message_length);
  put_coins(items, "Fee", tx->fee);
}

const char *network_name(const uint8_t *genesis) {
  for (unsigned i = 0; i < sizeof networks / sizeof *networks; i++) {
    if (memcmp(networks[i].genesis, genesis, 32) == 0) return networks[i].name;
  }
  return NULL;
}

static void put_network(items_t *items, const uint8_t *genesis, bool details) {
  const char *name = network_name(genesis);
  char hex[9];
  format_hex(hex, genesis, 4);
  put(items, "Network", "%s%s", name ? name : "UNKNOWN CHAIN ", name ? "" : hex);
  if (details && !name) put_hash(items, "Chain hash", genesis);
}

void transaction_items(items_t *items, const uint8_t *genesis, const transaction_t *main, const transaction_t *linked,
                       token_hint_t hint, details_t details) {
  items->count = 0;
  put_network(items, genesis, details.shown);
  put(items, "Type", "%s", type_name(main->type));
  if (details.shown) {
    put_index(items, details.index);
    put_account(items, "From", main->sender);
    put_time(items, "Timestamp", main->timestamp);
  }
  if (main->type == SEND_ZBC) put_coins(items, "Amount", main->amount);
  if (main->type != APPROVAL_ESCROW) {
    put_account(items, "Recipient", main->recipient);
    put_coins(items, "Fee", main->fee);
  }
  if (main->type == SEND_ZBC) put_coins(items, "Total leaving", (unsigned __int128)main->amount + main->fee);
  put_text(items, "Message", details.shown ? "Message hash" : NULL, main->message, main->message_length);
  if (main->has_escrow) {
    put_account(items, "Escrow approver", main->approver);
    put_terms(items, main, details.shown && main->type == SEND_ZBC, details.shown);
  }
  if (main->type == TRANSFER_TOKEN) put_token(items, main, hint);
  if (main->type == APPROVAL_ESCROW) put_approval(items, main, linked, details.shown);
}

void address_items(items_t *items, const uint8_t *public_key, details_t details) {
  char address[67];
  format_address(address, public_key);
  items->count = 0;
  if (details.shown) put_index(items, details.index);
  put(items, "Address", "%s", address);
}

void message_items(items_t *items, const uint8_t *public_key, const uint8_t *message, int length) {
  address_items(items, public_key, (details_t){false, 0});
  items->items[0].title = "Account";
  add(items, "Message", message, length);
}
