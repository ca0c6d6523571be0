#include "model.h"

#include <string.h>
#include <strings.h>

#include "device.h"
#include "finding.h"
#include "screen/menu.h"
#include "networks.h"
#include "screen/review.h"
#include "secrets/keys.h"
#include "bytes.h"
#include "protocol.h"
#include "secrets/sha3.h"

enum { MAX_TX = 2048, MAX_LINKED = 2112, TX_HEADER = 44, MESSAGE_HEADER = 8, CONTACT = 56, NAME = 24, COMMITMENT = 32 };
// Bits of P2 of a header.
enum { CONTACTS = 3, COMMITTED = 4 };

// The open upload: the lengths that the header of SIGN_TX or SIGN_MESSAGE declared, and the bytes received so
// far.
static struct {
  int ins;
  bool elsewhere;  // whether the header came from elsewhere
  uint32_t account;
  uint8_t genesis[32];
  int length, linked_length, received;
  bool has_tail, has_commitment;
  uint8_t commitment[COMMITMENT];
  int header;  // length of the header without its token tail
  uint8_t bytes[MAX_TX + MAX_LINKED];
} upload;

// INS and account of the review on the screen; INS is 0 if there is no review.
static int reviewing;
static uint32_t reviewed_account;
// INS of the REVEAL that the last approval waits for, on the side of its upload; 0 if there is none.
static int awaited;
// The message of the contact to register: tag, genesis hash, name and account.
static uint8_t contact[104];
static int contact_length;

static void answer_status(answer_t *answer, int status) {
  answer->bytes[answer->length++] = (uint8_t)(status >> 8);
  answer->bytes[answer->length++] = (uint8_t)status;
}

static void answer_bytes(answer_t *answer, const void *bytes, int length) {
  memcpy(answer->bytes + answer->length, bytes, (size_t)length);
  answer->length += length;
}

// Leaves the last byte of the detail, the reason, at 0, because oracle.c accepts any defined reason.
static void refuse(answer_t *answer, int status, int field, int offset) {
  const uint8_t detail[] = {(uint8_t)field, (uint8_t)offset, (uint8_t)(offset >> 8), 0};
  answer_bytes(answer, detail, sizeof detail);
  answer_status(answer, status);
}

void model_boot(void) {
  reviewing = 0;
  awaited = 0;
  upload.ins = 0;
  menu_show();
}

void model_cancel(void) {
  if (reviewing) menu_show();
  reviewing = 0;
  awaited = 0;
  upload.ins = 0;
}

bool model_is_reviewing(void) { return reviewing != 0; }

static void answer_key(answer_t *answer, uint32_t account) {
  const keypair_t *pair = keypair_of(account);
  answer_bytes(answer, pair->public_key, 32);
  answer_bytes(answer, pair->address, 66);
  answer_status(answer, OK);
}

static void open_review(int ins, uint32_t account, const char *action) {
  reviewing = ins;
  reviewed_account = account;
  review_expect(action);
}

static void answer_public_key(answer_t *answer, const uint8_t *data, int length, bool confirm) {
  if (length != 4) return answer_status(answer, WRONG_LENGTH);
  const uint32_t account = u32_at(data);
  if (account > 0x7fffffff) return answer_status(answer, MALFORMED);
  if (platform.locked) return answer_status(answer, LOCKED);
  if (!confirm) return answer_key(answer, account);
  open_review(GET_PUBLIC_KEY, account, "");
}

static void answer_version(answer_t *answer, int length) {
  if (length != 0) return answer_status(answer, WRONG_LENGTH);
  uint8_t reply[30] = {1, 1, 0, 0, (uint8_t)((menu_refuses_unknown_chains() ? 1 : 0) | (platform.locked ? 2 : 0) | (menu_pays_contacts_only() ? 4 : 0))};
  const uint32_t numbers[] = {2048, 256, 512};
  for (int i = 0; i < 3; i++) put_u32(reply + 5 + 4 * i, numbers[i]);
  reply[17] = 3;
  put_u32(reply + 18, SEND_ZBC);
  put_u32(reply + 22, APPROVAL_ESCROW);
  put_u32(reply + 26, TRANSFER_TOKEN);
  answer_bytes(answer, reply, sizeof reply);
  answer_status(answer, OK);
}

static void answer_name(answer_t *answer, int length) {
  static const char reply[] = "\x01\x0aZBC Signer\x05" "1.0.0\x01";
  if (length != 0) return answer_status(answer, WRONG_LENGTH);
  answer_bytes(answer, reply, sizeof reply);
  answer_status(answer, OK);
}

// Reads the token tail of a SIGN_TX header; returns the offset of a fault in it, or 0.
static int read_tail(const uint8_t *data, int length) {
  const int at = upload.header;
  upload.has_tail = length > at;
  if (!upload.has_tail) return 0;
  const int symbol_length = data[at + 1];
  if (data[at] > 8 && data[at] != 255) return at;
  if (symbol_length > 12 || symbol_length != length - at - 2) return at + 1;
  for (int i = at + 2; i < length; i++) {
    if (data[i] <= 0x20 || data[i] > 0x7e) return i;
  }
  return 0;
}

static bool is_name(const uint8_t *name) {
  int length = 0;
  while (length < NAME && name[length] != 0) length++;
  for (int i = length; i < NAME; i++) {
    if (name[i] != 0) return false;
  }
  if (length == 0 || name[0] == ' ' || name[length - 1] == ' ') return false;
  for (int i = 0; i < length; i++) {
    if (name[i] < 0x20 || name[i] > 0x7e || (i > 0 && name[i] == ' ' && name[i - 1] == ' ')) return false;
  }
  return strncasecmp((const char *)name, "ZBC_", 4) != 0;
}

static bool is_known_chain(const uint8_t *genesis) {
  for (unsigned i = 0; i < sizeof networks / sizeof *networks; i++) {
    if (memcmp(networks[i], genesis, 32) == 0) return true;
  }
  return false;
}

static bool is_refused_chain(const uint8_t *genesis) { return menu_refuses_unknown_chains() && !is_known_chain(genesis); }

// Reads the commitment, if the options have one.
static void read_commitment(int options, const uint8_t *from) {
  upload.has_commitment = (options & COMMITTED) != 0;
  if (upload.has_commitment) memcpy(upload.commitment, from, COMMITMENT);
}

static void answer_tx_header(answer_t *answer, int options, const uint8_t *data, int length) {
  const int contacts_end = TX_HEADER + CONTACT * __builtin_popcount((unsigned)options & CONTACTS);
  upload.header = contacts_end + (options & COMMITTED ? COMMITMENT : 0);
  if (length != upload.header && length < upload.header + 2) return refuse(answer, MALFORMED, 0, 0);
  upload.account = u32_at(data);
  if (upload.account > 0x7fffffff) return refuse(answer, MALFORMED, 0, 0);
  memcpy(upload.genesis, data + 4, 32);
  const uint32_t tx_length = u32_at(data + 36), linked_length = u32_at(data + 40);
  if (tx_length == 0) return refuse(answer, MALFORMED, 0, 36);
  if (tx_length > MAX_TX) return refuse(answer, TOO_LARGE, 0, 36);
  if (linked_length > MAX_LINKED) return refuse(answer, TOO_LARGE, 0, 40);
  for (int at = TX_HEADER; at < contacts_end; at += CONTACT) {
    if (!is_name(data + at)) return refuse(answer, MALFORMED, 0, at);
  }
  read_commitment(options, data + contacts_end);
  const int bad = read_tail(data, length);
  if (bad != 0) return refuse(answer, MALFORMED, 0, bad);
  if (is_refused_chain(upload.genesis)) return refuse(answer, USER_REJECTED, 0, 4);
  if (platform.locked) return answer_status(answer, LOCKED);
  upload.ins = SIGN_TX;
  upload.length = (int)tx_length;
  upload.linked_length = (int)linked_length;
  answer_status(answer, OK);
}

static void answer_message_header(answer_t *answer, int options, const uint8_t *data, int length) {
  if (length != MESSAGE_HEADER + (options & COMMITTED ? COMMITMENT : 0)) return refuse(answer, MALFORMED, 0, 0);
  read_commitment(options, data + MESSAGE_HEADER);
  upload.account = u32_at(data);
  if (upload.account > 0x7fffffff) return refuse(answer, MALFORMED, 0, 0);
  const uint32_t message_length = u32_at(data + 4);
  if (message_length == 0 || message_length == 32) return refuse(answer, MALFORMED, 0, 4);
  if (message_length > 2048) return refuse(answer, TOO_LARGE, 0, 4);
  if (platform.locked) return answer_status(answer, LOCKED);
  upload.ins = SIGN_MESSAGE;
  upload.length = (int)message_length;
  upload.linked_length = 0;
  answer_status(answer, OK);
}

static void answer_transaction(answer_t *answer) {
  if (is_refused_chain(upload.genesis)) return refuse(answer, USER_REJECTED, 0, 4);
  if (platform.locked) return answer_status(answer, LOCKED);
  if (upload.has_tail && upload.length >= 4 && u32_at(upload.bytes) != TRANSFER_TOKEN) {
    return refuse(answer, MALFORMED, 0, upload.header);
  }
  answer->judged = true;
  open_review(SIGN_TX, upload.account, " transaction");
}

static void answer_message(answer_t *answer) {
  for (int i = 0; i < upload.length; i++) {
    const uint8_t byte = upload.bytes[i];
    if (byte != '\n' && (byte < 0x20 || byte > 0x7e)) return refuse(answer, MALFORMED, 0, i);
  }
  if (platform.locked) return answer_status(answer, LOCKED);
  open_review(SIGN_MESSAGE, upload.account, " message");
}

static void answer_chunk(answer_t *answer, int ins, const uint8_t *data, int length) {
  const int declared = upload.length + upload.linked_length;
  if (upload.ins == 0) return answer_status(answer, BAD_STATE);
  if (length == 0 || length > declared - upload.received) upload.ins = 0;
  if (length == 0) return answer_status(answer, WRONG_LENGTH);
  if (upload.ins == 0) return refuse(answer, MALFORMED, 0, ins == SIGN_TX ? 36 : 4);
  memcpy(upload.bytes + upload.received, data, (size_t)length);
  upload.received += length;
  if (upload.received < declared) return answer_status(answer, OK);
  upload.ins = 0;
  if (ins == SIGN_TX) answer_transaction(answer);
  else answer_message(answer);
}

static void answer_contact(answer_t *answer, bool check, const uint8_t *data, int length) {
  static const int payloads[] = {32, 20, 0, 32, 20, 20, 20, 20, 32, 32, 32, 32, 32, 28, 20, 20, 20};
  if (length < 60) return refuse(answer, MALFORMED, 0, 0);
  if (!is_name(data + 32)) return refuse(answer, MALFORMED, 0, 32);
  const uint32_t kind = u32_at(data + 56);
  if (kind > 16 || payloads[kind] == 0) return refuse(answer, MALFORMED, 0, 56);
  const int end = 60 + payloads[kind];
  if (length != (check ? end + 32 : end)) return refuse(answer, MALFORMED, 0, 0);
  if (is_refused_chain(data)) return refuse(answer, USER_REJECTED, 0, 0);
  if (platform.locked) return answer_status(answer, LOCKED);
  memcpy(contact, "ZBC-CONTACT\x01", 12);
  memcpy(contact + 12, data, (size_t)end);
  contact_length = 12 + end;
  if (!check) return open_review(REGISTER_CONTACT, 0, " contact");
  uint8_t proof[32];
  contact_proof(proof, contact, (size_t)contact_length);
  if (memcmp(proof, data + end, 32) != 0) return refuse(answer, MALFORMED, 0, end);
  answer_status(answer, OK);
}

static void answer_part(answer_t *answer, const uint8_t *command, const uint8_t *data, int length) {
  const int ins = command[1];
  const bool is_chunk = command[2] == 1;
  if (is_chunk) return answer_chunk(answer, ins, data, length);
  upload.received = 0;
  if (ins == SIGN_TX) answer_tx_header(answer, command[3], data, length);
  else answer_message_header(answer, command[3], data, length);
}

// Answers with R0, or with the signature over the uploaded bytes and, for a transaction, with the transaction hash.
// `revealed` is the host's part of the nonce, or null. All signatures are deterministic, so the device's signature must
// be equal.
static void answer_signature(answer_t *answer, int ins, const uint8_t *revealed) {
  uint8_t digest[32], signature[64], hash[32];
  const keypair_t *pair = keypair_of(reviewed_account);
  const bool is_tx = ins == SIGN_TX;
  sha3_256(digest, (part_t[]){{"ZBC-TX", 6}, {upload.genesis, 32}, {upload.bytes, upload.length}}, 3);
  const uint8_t *message = is_tx ? digest : upload.bytes;
  const int length = is_tx ? 32 : upload.length;
  if (upload.has_commitment && revealed == NULL) {
    nonce_point_of(pair, hash, upload.commitment, message, length);
    answer_bytes(answer, hash, 32);
    return answer_status(answer, OK);
  }
  if (revealed) sign_revealed(pair, signature, upload.commitment, revealed, message, length);
  else sign_as(pair, signature, message, length);
  if (!is_signature_of(pair, signature, message, length)) finding("libsodium and OpenSSL disagree about a signature");
  sha3_256(hash, (part_t[]){{upload.bytes, upload.length}, {signature, 64}}, 2);
  answer_bytes(answer, signature, 64);
  if (is_tx) answer_bytes(answer, hash, 32);
  answer_status(answer, OK);
}

static void answer_reveal(answer_t *answer, int ins, int waiting, const uint8_t *data, int length) {
  uint8_t hash[32];
  if (waiting != ins) return answer_status(answer, BAD_STATE);
  if (length != COMMITMENT) return answer_status(answer, WRONG_LENGTH);
  if (platform.locked) return answer_status(answer, LOCKED);
  sha3_256(hash, &(part_t){data, COMMITMENT}, 1);
  if (memcmp(hash, upload.commitment, COMMITMENT) != 0) return refuse(answer, MALFORMED, 0, 0);
  answer_signature(answer, ins, data);
}

// The status for a fault in the command's header, or OK; does not examine the data.
static int check_header(const uint8_t *command, int length) {
  if (length < 5 || command[4] != length - 5) return WRONG_LENGTH;
  const bool ecosystem = command[0] == 0xb0;
  const int ins = command[1];
  if (ecosystem ? ins != GET_APP_NAME : command[0] != 0xe0) return CLA_NOT_SUPPORTED;
  const bool known = ecosystem || ins == GET_APP_VERSION || (ins >= GET_PUBLIC_KEY && ins <= REGISTER_CONTACT);
  if (!known) return INS_NOT_SUPPORTED;
  const bool signs = ins == SIGN_TX || ins == SIGN_MESSAGE;
  const int last_p1 = ins < GET_PUBLIC_KEY ? 0 : signs ? 2 : 1;
  const int options = command[2] != 0 || !signs ? 0 : ins == SIGN_TX ? CONTACTS | COMMITTED : COMMITTED;
  return command[2] > last_p1 || (command[3] & ~options) != 0 ? WRONG_P1P2 : OK;
}

// Returns whether a correct command ends the upload of another host.
static bool takes_over(const uint8_t *command) {
  const int ins = command[1];
  return ins == GET_PUBLIC_KEY ? command[2] == 1 : ins >= SIGN_TX && command[2] == 0;
}

void model_refuse(void) { reviewing = 0; }

void model_answer(answer_t *answer, const uint8_t *command, int length, bool elsewhere) {
  answer->length = 0;
  answer->judged = false;
  if (reviewing) return answer_status(answer, BUSY);
  const int status = check_header(command, length);
  if ((upload.ins != 0 || awaited != 0) && elsewhere != upload.elsewhere && (status != OK || !takes_over(command))) {
    // The command is answered as if there were no upload and no approval, and changes neither.
    const int kept[] = {upload.ins, awaited};
    upload.ins = awaited = 0;
    model_answer(answer, command, length, elsewhere);
    upload.ins = kept[0];
    awaited = kept[1];
    upload.elsewhere = !elsewhere;
    return;
  }
  upload.elsewhere = elsewhere;
  if (status != OK || command[1] != upload.ins || command[2] != 1) upload.ins = 0;
  const int waiting = awaited;
  awaited = 0;
  if (status != OK) return answer_status(answer, status);
  const uint8_t *data = command + 5;
  const int ins = command[1], data_length = length - 5;
  if (ins == GET_APP_NAME) answer_name(answer, data_length);
  else if (ins == GET_APP_VERSION) answer_version(answer, data_length);
  else if (ins == GET_PUBLIC_KEY) answer_public_key(answer, data, data_length, command[2] == 1);
  else if (ins == REGISTER_CONTACT) answer_contact(answer, command[2] == 1, data, data_length);
  else if (command[2] == 2) answer_reveal(answer, ins, waiting, data, data_length);
  else answer_part(answer, command, data, data_length);
}

void model_answer_decision(answer_t *answer, bool approved) {
  answer->length = 0;
  answer->judged = false;
  if (!approved) answer_status(answer, USER_REJECTED);
  else if (platform.locked) answer_status(answer, LOCKED);
  else if (reviewing == GET_PUBLIC_KEY) answer_key(answer, reviewed_account);
  else if (reviewing == REGISTER_CONTACT) {
    contact_proof(answer->bytes, contact, (size_t)contact_length);
    answer->length = 32;
    answer_status(answer, OK);
  }
  else {
    answer_signature(answer, reviewing, NULL);
    if (upload.has_commitment) awaited = reviewing;
  }
  reviewing = 0;
  menu_show();
}
