import { join } from 'node:path';
import { listMutations, type Mutations, plant } from '../mutation.js';

/** Faults that the controls of the proofs must find, each in one place of the firmware. */
export const FAULTS: Mutations = {
  'screen/flow.ts': {
    'pages-counted-once': '    if (this.pages !== pages || <u32>this.page >= <u32>pages) unreachable();\n',
    'approve-on-any-page': ['if (position.isApprovePage(items))', 'if (!position.isRejectPage(items))'],
    'approve-on-right': [
      'if (button !== BOTH) return UNDECIDED;',
      'if (button < RIGHT || (button === RIGHT && !position.isApprovePage(items))) return UNDECIDED;',
    ],
    'approval-unconfirmed': ['return this.ahead === 0 && this.notPressed === ~BOTH;', 'return true;'],
    'skipped-page': [
      'if (this.page + 1 < this.pages) this.page += 1;',
      'if (this.page + 2 < this.pages) this.page += 2;',
    ],
  },
  'apdu/report.ts': {
    'report-written-once': ' || sumOf(reportBuffer, REPORT_LENGTH) !== sum',
  },
  'apdu/press.ts': {
    'refusal-not-read': '  if (decision !== APPROVED) checkRefusal();\n',
  },
  'screen/frame.ts': {
    'clearing-unmarked': '  if (load<u8>(frame, FRAME_LENGTH) !== MARK) unreachable();\n',
  },
  '../boards/pico/usb-control.c': {
    'packet-unread': [
      'return usb_holds_control(packet.bytes, packet.length);',
      'return packet.length <= PACKET_BYTES;',
    ],
  },
  '../boards/common/exchange.c': {
    'dark-press-counted': '  if (!front_press_counts()) return true;\n',
  },
  '../boards/pico/display.c': {
    'frame-uncounted': ['return sent && words_put == WORDS;', 'return sent;'],
  },
  'review/describe.ts': {
    'skipped-item': ['if (transaction.hasEscrow)', 'if (transaction.hasEscrow && !transaction.multiParty)'],
  },
  'screen/glyphs/font.ts': {
    'glyphs-alike': [
      '  112, 32, 32, 32, 32, 32, 32, 32, 32, 112, 0, 0, // I\n',
      '  96, 32, 32, 32, 32, 32, 32, 32, 32, 24, 0, 0, // I\n',
    ],
  },
  'review/kinds.ts': {
    'names-alike': ["return 'Bitcoin P2WSH';", "return 'Bitcoin Taproot';"],
  },
  'screen/paginate.ts': {
    'cut-value': ['(item.value, end) === LINE_FEED ? end + 1', '(item.value, end) <= SPACE ? end + 1'],
  },
  '../keystore/new-seed.ts': {
    'keystore-source-skipped': '  if (board.hasNoise) sha256Update(devicePart, PART_LENGTH);\n',
    'keystore-gate-of-12-words': ['return state.count === 12 ? 50 : 99;', 'return 50;'],
    'keystore-face-1-not-kept': ['  state.events += 1;\n', '  if (character !== ONE) state.events += 1;\n'],
    'keystore-sources-hashed-once': [
      '  if (memory.compare(hash, again, HASH) !== 0) unreachable();\n',
      '  memory.copy(again, hash, HASH);\n',
    ],
    'keystore-record-to-its-zero': [
      '  sha256Update(record, state.events);\n',
      '  let length = state.events;\n  while (load<u8>(record + length) !== 0) length += 1;\n  sha256Update(record, length);\n',
    ],
    'keystore-no-giving-up': ['  if (button === BOTH) {\n    leave();\n    return;\n  }\n  if', '  if'],
  },
  '../keystore/index.ts': {
    'keystore-failed-vault-taken-for-empty': ' || state.page === VAULT_FAILED',
    'keystore-option-lost': ['hasNoise = (options & HAS_NOISE)', 'hasNoise = (options & HAS_VAULT)'],
    'keystore-computation-outlives-idle': [
      'state.task === TASK_START) return',
      'state.task !== TASK_NONE) return',
    ],
  },
  '../keystore/noise.ts': {
    'keystore-zeros-taken': ['isNotStuck() && isInProportion(raw) && isInProportion(raw + WINDOW);', 'true;'],
    'keystore-fallback-generator': [
      '  if (answer !== DONE) return 0;\n',
      '  if (answer === 0) for (let i = 0; i < PIECE; i++) store<u8>(raw + state.step * PIECE + i, <u8>(167 * (state.step + i) + i * i));\n',
    ],
    'keystore-noise-tested-once': '  if (state.step !== NOISE_STEPS || !passesTests()) unreachable();\n',
    'keystore-silent-source-awaited': ['return state.waits < MOST_WAITS ? NOT_YET : 0;', 'return NOT_YET;'],
  },
  'crypto/pbkdf2.ts': {
    'keystore-rounds-uncounted': '  if (load<u64>(block + ROUNDS) !== <u64>rounds) unreachable();\n',
  },
  '../keystore/menu.ts': {
    'keystore-unlocked-unchecked': '  if (purpose === UNLOCK && state.unlocked !== OPEN) unreachable();\n',
    'keystore-seed-in-front': ['state.opened === OPEN && state.isBehind;', 'state.opened === OPEN;'],
  },
  '../keystore/passphrase.ts': {
    'keystore-passphrase-cut': ['SALT_TAG_LENGTH + state.length', 'SALT_TAG_LENGTH + min(state.length, 63)'],
    'keystore-unlock-shows-words': '  else if (state.purpose === UNLOCK) leaveUnlock();\n',
  },
  'crypto/sha256.ts': {
    'keystore-key-pad-not-cleared': '  memory.fill(KEY_PAD, 0, BLOCK);\n',
  },
  '../keystore/question.ts': {
    'keystore-word-judged-once': ['  if (!isRight(~complement)) unreachable();', '  isRight(~complement);'],
    'keystore-index-left': '  store<u8>(tag, 0, TAG_LENGTH - 1);\n',
  },
  '../keystore/restore.ts': {
    'keystore-short-words': ['(button) || state.presses < pressesNeeded()', '(button) || state.size > 1'],
  },
  '../keystore/words.ts': {
    'keystore-two-words-alike': ['i <= word % BLOCK;', 'i <= min(word % BLOCK, BLOCK - 2);'],
  },
  '../keystore/vault.ts': {
    'keystore-stretch-unnoticed': '  if (any === 0) failVault();\n',
    'keystore-old-proof-lost': ['vault_write(stored, oldProof,', 'vault_write(stored, newProof,'],
    'keystore-count-not-read-back': ['count !== state.attempts + 1 || count', 'count'],
    'keystore-tag-half-compared': ['(let i = 0; i < TAG; i += 8)', '(let i = 0; i < TAG / 2; i += 8)'],
    'keystore-stored-in-plain': [
      'memory.copy(stored + TAG_AT, mac, TAG);',
      'memory.copy(stored + SALT_AT, entropy, SALT);\n  memory.copy(stored + TAG_AT, mac, TAG);',
    ],
  },
  '../keystore/state.ts': {
    'keystore-forgotten-unread':
      '  if (holdsAny(block, BOARD) || holdsAny(seedBytes, SIZE - SEED)) unreachable();\n',
    'keystore-seed-left': ['  wipe(seedBytes, SIZE - SEED);\n', '  wipe(freshSeed, SIZE - FRESH);\n'],
  },
  'handlers/key.ts': {
    'account-left': [
      'ACCOUNT_LENGTH) === 0;\n  wipe(account, ACCOUNT_LENGTH);\n',
      'ACCOUNT_LENGTH) === 0;\n',
    ],
    'other-seed-signs': [
      ' const outcome = sign(',
      ' publicKey(ownAccount + 4, key);\n  const outcome = sign(',
    ],
    'key-left': [
      'sign(out, message, length, key, ownAccount + 4);\n  wipe(key, KEY);\n',
      'sign(out, message, length, key, ownAccount + 4);\n',
    ],
  },
  'seal.ts': {
    'state-unsealed': '  if (sumOf(state, STATE_SIZE) !== seal) unreachable();\n',
  },
  'handlers/sign-tx.ts': {
    'digest-not-compared': '  if (memory.compare(digest, reviewedHash, HASH_LENGTH) !== 0) unreachable();\n',
    'transaction-hash-made-once':
      '  if (memory.compare(digest, apduBuffer + SIGNATURE_LENGTH, HASH_LENGTH) !== 0) unreachable();\n',
    'setting-not-judged-again':
      '  const refused = refuseUnknownChain(genesisHash, GENESIS_AT);\n  if (refused !== 0) return refused;\n',
    'details-stay-hidden': ['details.shown = showsDetails();', 'details.shown = false;'],
    'other-bytes-signed': [
      'sha3Update(genesisHash, HASH_LENGTH);\n  sha3Update(upload.bytes, session.transactionLength);',
      'sha3Update(genesisHash, HASH_LENGTH);\n  sha3Update(upload.bytes, session.transactionLength - 1);',
    ],
  },
  'handlers/review.ts': {
    'page-drawn-once': ['  if (draw(false) !== drawn) unreachable();\n', '  draw(false);\n'],
  },
  'crypto/ed25519.ts': {
    'nonce-made-once': ['expandKey(key);\n  makeNonce(message, length);\n  multiplyScalar', 'multiplyScalar'],
  },
  'crypto/tweaked-nonce.ts': {
    'nonce-of-stored-commitment': [
      '  encodePoint(NONCE_POINT, COMB_SUM);\n}\n\n/** NONCE = r0 + t mod L. Returns whether R0 is the 32 bytes at `point`. */\nfunction makeTweakedNonce(message: usize, length: i32, revealed: usize, point: usize): bool {\n  sha3_256(COMMITMENT, revealed, 32);\n  commitNonce(COMMITMENT, message, length);\n',
      '  encodePoint(NONCE_POINT, COMB_SUM);\n  memory.copy(stored, commitment, 32);\n}\n\nconst stored: usize = memory.data(32, 8);\n\nfunction makeTweakedNonce(message: usize, length: i32, revealed: usize, point: usize): bool {\n  commitNonce(stored, message, length);\n',
    ],
    'tweaked-nonce-made-once': [
      '  expandKey(key);\n  const isCommitted = makeTweakedNonce(message, length, revealed, point);\n',
      '  const isCommitted = true;\n',
    ],
    'tag-in-memory': [
      '  store<u64>(TAG, 0x544e412d43425aff);\n  store<u64>(TAG, 0x004c494658452d49 | (part << 56), 8);\n  sha512Update(TAG, TAG_LENGTH);\n',
      '  sha512Update(STORED_TAG + <usize>(16 * part), TAG_LENGTH);\n}\n\nconst STORED_TAG: usize = memory.data<u8>([\n  0xff, 0x5a, 0x42, 0x43, 0x2d, 0x41, 0x4e, 0x54, 0x49, 0x2d, 0x45, 0x58, 0x46, 0x49, 0x4c, 0, 0xff, 0x5a, 0x42, 0x43, 0x2d, 0x41, 0x4e, 0x54, 0x49, 0x2d, 0x45, 0x58, 0x46, 0x49, 0x4c, 1,\n]);\n\nexport function nothing(): void {\n',
    ],
  },
  'handlers/reveal.ts': {
    'reveal-from-elsewhere': 'command.isAside || ',
    'reveal-after-another-n': [
      '  const status = signRevealedAs(',
      '  upload.awaitReveal(command.ins);\n  const status = signRevealedAs(',
    ],
  },
  'handlers/contact.ts': {
    'proof-judged-once': ['  if (hasContact) {', '  if (hasContact && session.reviewing === 0) {'],
  },
  'handlers/register-contact.ts': {
    'proof-made-once':
      '  if (memory.compare(apduBuffer, reviewedHash, CONTACT_PROOF_LENGTH) !== 0) unreachable();\n',
    'account-measured-once': [' || account.length !== session.transactionLength', ''],
  },
  'handlers/get-public-key.ts': {
    'address-formed-once': '  if (sumOfItems() !== shown) unreachable();\n',
    'far-index-hidden': ['showsDetails() || index >= FAR_INDEX', 'showsDetails()'],
  },
  'crypto/crypto.ts': {
    'table-not-summed': ['  if (!isTableWhole()) unreachable();\n', ''],
    'proof-compared-early': [
      'difference |= load<u64>(NODE + at) ^ load<u64>(proof + at);',
      'if (difference === 0) difference |= load<u64>(NODE + at) ^ load<u64>(proof + at);',
    ],
    'signature-not-verified': ['(!verifySignature(SIGNATURE, message, length, expected))', '(length < 0)'],
    'nonce-left': ['unreachable();\n  wipeScratch();\n  return SIGNED', 'unreachable();\n  return SIGNED'],
    'scratch-left': ['(key);\n  encodePublicKey(out);\n  wipeScratch();', '(key);\n  encodePublicKey(out);'],
  },
  'index.ts': {
    'cancel-keeps-upload': '  else clearCommand();\n',
  },
  'handlers/sign-message.ts': {
    'locked-header-taken': '  if (isLocked()) return reply(LOCKED);\n',
  },
  'screen/draw.ts': {
    'line-feed-unmarked': ['if (ended) drawLineFeed', 'if (ended && length < COLUMNS) drawLineFeed'],
    'edge-space-unmarked': ['(index === 0 || index === length - 1)', 'index === 0'],
  },
  'review/message.ts': {
    'binary-like-text': '  items.invert();\n',
  },
  'review/format.ts': {
    'amount-rounded': ['if (fraction === 0) return;', 'if (fraction < 10) return;'],
    'sum-of-64-bits': ['items, a / unit + b / unit + c / unit + fraction', 'items, (a + b + c)'],
  },
  'review/time.ts': {
    'leap-day-wrong': ['dayOfEra - dayOfEra / 1460 +', 'dayOfEra - dayOfEra / 1461 +'],
  },
  'apdu/dispatch.ts': {
    'busy-changes-upload': [
      'if (isReviewing()) return reply(BUSY);',
      'if (isReviewing()) {\n    store<u8>(upload.bytes, load<u8>(apduBuffer));\n    return reply(BUSY);\n  }',
    ],
  },
  'transaction/parse.ts': {
    'trailing-bytes-taken': ['if (cursor.position !== cursor.end)', 'if (cursor.position + 1 < cursor.end)'],
    'version-ignored': ['if (cursor.u8() !== 1)', 'if (cursor.u8() === 0)'],
  },
  'transaction/escrow.ts': {
    'approver-unchecked': ['(at, ownAccount, ACCOUNT_LENGTH)', '(at, ownAccount, ACCOUNT_LENGTH - 1)'],
    'instruction-too-long': ['length > <u32>MAX_INSTRUCTION)', 'length > <u32>MAX_INSTRUCTION + 1)'],
    'multi-party-ignored': 'if (flag > 1) cursor.refuse(MALFORMED, MULTI_PARTY, at);\n',
  },
  'handlers/command.ts': {
    'upload-survives': ' && this.p1 === p1',
  },
  'handlers/receive.ts': {
    'chunk-from-elsewhere': 'command.isAside || ',
    'refusal-blames-elsewhere': ['lengthAt, MORE_THAN_DECLARED', '0, MORE_THAN_DECLARED'],
  },
  'transport/upload.ts': {
    'chunk-over-the-end': ['this.expected - this.received', 'this.expected - this.received + 1'],
  },
  'crypto/comb.ts': {
    'secret-index': [
      'takeWords(COMB_ENTRY + 64, table + 64, index);',
      'takeWords(COMB_ENTRY + 64, table + 64, index);\n  store<u64>(COMB_ENTRY + 64, load<u64>(table + ENTRY * index + 64));',
    ],
  },
  'crypto/scalar.ts': {
    'secret-branch': ['const mask = <u32>borrow;', 'const mask = <u32>borrow;\n  if (mask === 0) return;'],
    'secret-select': ['const mask = <u32>borrow;', 'const mask = select<u32>(0xffffffff, 0, borrow !== 0);'],
  },
  'transaction/cursor.ts': {
    'bound-one-too-far': ['(<u32>length > <u32>(this.end - at))', '(<u32>length > <u32>(this.end - at) + 1)'],
    'null-read-after-refusal': ['return at !== 0 ? load<u64>(at) : 0;', 'return load<u64>(at);'],
  },
  'transaction/types/transfer-token.ts': {
    'flag-of-many-values': ['if (transaction.feeInToken > 1)', 'if (transaction.feeInToken > 2)'],
  },
  'transaction/account.ts': {
    'kind-beyond-table': ['return kind < KINDS ?', 'return kind <= KINDS ?'],
    'read-before-bound': [
      'return kind < KINDS ? <i32>load<u8>(PAYLOAD_LENGTHS + kind) : -1;',
      'const length = <i32>load<u8>(PAYLOAD_LENGTHS + (kind & 0x7fff));\n  return kind < KINDS ? length : -1;',
    ],
  },
  'transaction/linked.ts': {
    'linked-tail-taken': ['position !== SIGNATURE_LENGTH', 'position < <usize>SIGNATURE_LENGTH'],
  },
};

/** Plants a fault in the copy of the sources under `root`; throws if its line no longer exists. */
export function plantFault(root: string, name: string): void {
  const fault = listMutations(FAULTS).find(each => each.name === name);
  if (!fault) throw new Error(`there is no fault ${name}`);
  plant(join(root, 'firmware/assembly', fault.file), fault);
}
