import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Fault {
  file: string;
  find: string;
  replace: string;
}

/**
 * Faults that the fuzzer's oracles or the constant-time check must find, each in one place of the firmware.
 */
const FAULTS: Record<string, Fault> = {
  'approve-on-any-page': {
    file: 'screen/flow.ts',
    find: 'if (position.isApprovePage(items)) return APPROVED;',
    replace: 'if (!position.isRejectPage(items)) return APPROVED;',
  },
  'approve-on-right': {
    file: 'screen/flow.ts',
    find: 'if (button !== BOTH) return UNDECIDED;',
    replace: 'if (button < RIGHT || (button === RIGHT && !position.isApprovePage(items))) return UNDECIDED;',
  },
  'approval-unconfirmed': {
    file: 'screen/flow.ts',
    find: 'return this.ahead === 0 && this.notPressed === ~BOTH;',
    replace: 'return true;',
  },
  'report-written-once': {
    file: 'apdu/report.ts',
    find: ' || sumOf(reportBuffer, REPORT_LENGTH) !== sum',
    replace: '',
  },
  'refusal-not-read': {
    file: 'apdu/press.ts',
    find: '  if (decision !== APPROVED) checkRefusal();\n',
    replace: '',
  },
  'clearing-unmarked': {
    file: 'screen/frame.ts',
    find: '  if (load<u8>(frame, FRAME_LENGTH) !== MARK) unreachable();\n',
    replace: '',
  },
  'skipped-page': {
    file: 'screen/flow.ts',
    find: 'if (this.page + 1 < this.pages) this.page += 1;',
    replace: 'if (this.page + 2 < this.pages) this.page += 2;',
  },
  'skipped-item': {
    file: 'review/describe.ts',
    find: 'if (transaction.hasEscrow) describeEscrow(items, transaction, details);',
    replace:
      'if (transaction.hasEscrow && !transaction.multiParty) describeEscrow(items, transaction, details);',
  },
  'cut-value': {
    file: 'screen/paginate.ts',
    find: 'return end < item.length && character(item.value, end) === LINE_FEED ? end + 1 : end;',
    replace: 'return end < item.length && character(item.value, end) <= SPACE ? end + 1 : end;',
  },
  'keystore-source-skipped': {
    file: '../keystore/new-seed.ts',
    find: '  if (board.hasNoise) sha256Update(devicePart, PART_LENGTH);\n',
    replace: '',
  },
  'keystore-option-lost': {
    file: '../keystore/index.ts',
    find: 'board.hasNoise = (options & HAS_NOISE) !== 0;',
    replace: 'board.hasNoise = (options & HAS_VAULT) !== 0;',
  },
  'keystore-gate-of-12-words': {
    file: '../keystore/new-seed.ts',
    find: 'if (state.method === DICE) return state.count === 12 ? 50 : 99;',
    replace: 'if (state.method === DICE) return 50;',
  },
  'keystore-face-1-not-kept': {
    file: '../keystore/new-seed.ts',
    find: '  state.events += 1;\n',
    replace: '  if (character !== ONE) state.events += 1;\n',
  },
  'keystore-zeros-taken': {
    file: '../keystore/noise.ts',
    find: 'return isNotStuck() && isInProportion(raw) && isInProportion(raw + WINDOW);',
    replace: 'return true;',
  },
  'keystore-fallback-generator': {
    file: '../keystore/noise.ts',
    find: '  if (answer === DONE) state.step += 1;\n  return answer === NOT_YET || answer === DONE ? answer : 0;',
    replace:
      '  if (answer === 0) for (let i = 0; i < PIECE; i++) store<u8>(raw + state.step * PIECE + i, <u8>(167 * (state.step + i) + i * i));\n  state.step += 1;\n  return DONE;',
  },
  'keystore-noise-tested-once': {
    file: '../keystore/noise.ts',
    find: '  if (state.step !== NOISE_STEPS || !passesTests()) unreachable();\n',
    replace: '',
  },
  'keystore-sources-hashed-once': {
    file: '../keystore/new-seed.ts',
    find: '  if (memory.compare(hash, again, HASH) !== 0) unreachable();\n',
    replace: '  memory.copy(again, hash, HASH);\n',
  },
  'keystore-rounds-uncounted': {
    file: 'crypto/pbkdf2.ts',
    find: '  if (load<u64>(block + ROUNDS) !== <u64>rounds) unreachable();\n',
    replace: '',
  },
  'keystore-unlocked-unchecked': {
    file: '../keystore/menu.ts',
    find: '  if (purpose === UNLOCK && state.unlocked !== OPEN) unreachable();\n',
    replace: '',
  },
  'keystore-passphrase-cut': {
    file: '../keystore/passphrase.ts',
    find: 'beginPbkdf2(stretch, mnemonic, length, salt, SALT_TAG_LENGTH + state.length);',
    replace: 'beginPbkdf2(stretch, mnemonic, length, salt, SALT_TAG_LENGTH + min(state.length, 63));',
  },
  'keystore-record-to-its-zero': {
    file: '../keystore/new-seed.ts',
    find: '  sha256Update(record, state.events);\n',
    replace:
      '  let length = state.events;\n  while (load<u8>(record + length) !== 0) length += 1;\n  sha256Update(record, length);\n',
  },
  'keystore-unlock-shows-words': {
    file: '../keystore/passphrase.ts',
    find: '  else if (state.purpose === UNLOCK) leaveUnlock();\n',
    replace: '',
  },
  'keystore-key-pad-not-cleared': {
    file: 'crypto/sha256.ts',
    find: '  memory.fill(KEY_PAD, 0, BLOCK);\n',
    replace: '',
  },
  'keystore-no-giving-up': {
    file: '../keystore/new-seed.ts',
    find: '  if (button === BOTH) {\n    leave();\n    return;\n  }\n  if (button !== RIGHT) return;\n',
    replace: '  if (button !== RIGHT) return;\n',
  },
  'keystore-computation-outlives-idle': {
    file: '../keystore/index.ts',
    find: '|| state.task === TASK_START) return;',
    replace: '|| state.task !== TASK_NONE) return;',
  },
  'keystore-seed-in-front': {
    file: '../keystore/menu.ts',
    find: 'return state.opened === OPEN && state.isBehind;',
    replace: 'return state.opened === OPEN;',
  },
  'keystore-index-left': {
    file: '../keystore/question.ts',
    find: '  store<u8>(tag, 0, TAG_LENGTH - 1);\n',
    replace: '',
  },
  'keystore-short-words': {
    file: '../keystore/restore.ts',
    find: 'if (!keepThird(button) || state.presses < pressesNeeded()) return;',
    replace: 'if (!keepThird(button) || state.size > 1) return;',
  },
  'keystore-two-words-alike': {
    file: '../keystore/words.ts',
    find: 'i <= word % BLOCK;',
    replace: 'i <= min(word % BLOCK, BLOCK - 2);',
  },
  'keystore-stretch-unnoticed': {
    file: '../keystore/vault.ts',
    find: '  if (any === 0) failVault();\n',
    replace: '',
  },
  'keystore-count-not-read-back': {
    file: '../keystore/vault.ts',
    find: 'if (count !== state.attempts + 1 || count > MAX_ATTEMPTS) {',
    replace: 'if (count > MAX_ATTEMPTS) {',
  },
  'keystore-tag-half-compared': {
    file: '../keystore/vault.ts',
    find: 'for (let i = 0; i < TAG; i += 8) difference',
    replace: 'for (let i = 0; i < TAG / 2; i += 8) difference',
  },
  'keystore-seed-left': {
    file: '../keystore/state.ts',
    find: '  wipe(seedBytes, SIZE - SEED);\n',
    replace: '  wipe(freshSeed, SIZE - FRESH);\n',
  },
  'keystore-stored-in-plain': {
    file: '../keystore/vault.ts',
    find: 'memory.copy(stored + TAG_AT, mac, TAG);',
    replace: 'memory.copy(stored + SALT_AT, entropy, SALT);\n  memory.copy(stored + TAG_AT, mac, TAG);',
  },
  'account-left': {
    file: 'handlers/key.ts',
    find: '  wipe(account, ACCOUNT_LENGTH);\n',
    replace: '',
  },
  'state-unsealed': {
    file: 'seal.ts',
    find: '  if (sumOf(state, STATE_SIZE) !== seal) unreachable();\n',
    replace: '',
  },
  'digest-not-compared': {
    file: 'handlers/sign-tx.ts',
    find: '  if (memory.compare(digest, reviewedHash, HASH_LENGTH) !== 0) unreachable();\n',
    replace: '',
  },
  'page-drawn-once': {
    file: 'screen/page.ts',
    find: '  if (sumOfFrame() !== drawn) unreachable();\n',
    replace: '',
  },
  'nonce-made-once': {
    file: 'crypto/ed25519.ts',
    find: '  expandKey(key);\n  makeNonce(message, length);\n  multiplyScalar',
    replace: '  multiplyScalar',
  },
  'transaction-hash-made-once': {
    file: 'handlers/sign-tx.ts',
    find: '  if (memory.compare(digest, apduBuffer + SIGNATURE_LENGTH, HASH_LENGTH) !== 0) unreachable();\n',
    replace: '',
  },
  'address-formed-once': {
    file: 'handlers/get-public-key.ts',
    find: '  if (sumOfItems() !== shown) unreachable();\n',
    replace: '',
  },
  'signature-not-verified': {
    file: 'crypto/crypto.ts',
    find: 'if (!verifySignature(SIGNATURE, message, length, expected)) {',
    replace: 'if (length < 0) {',
  },
  'setting-not-judged-again': {
    file: 'handlers/sign-tx.ts',
    find: '  const refused = refuseUnknownChain();\n  if (refused !== 0) return refused;\n',
    replace: '',
  },
  'other-seed-signs': {
    file: 'handlers/key.ts',
    find: '  const outcome = sign(',
    replace: '  publicKey(ownAccount + 4, key);\n  const outcome = sign(',
  },
  'cancel-keeps-upload': {
    file: 'index.ts',
    find: '  else clearCommand();\n',
    replace: '',
  },
  'details-stay-hidden': {
    file: 'handlers/sign-tx.ts',
    find: 'details.shown = showsDetails();',
    replace: 'details.shown = false;',
  },
  'far-index-hidden': {
    file: 'handlers/get-public-key.ts',
    find: 'showsDetails() || index >= FAR_INDEX',
    replace: 'showsDetails()',
  },
  'locked-header-taken': {
    file: 'handlers/sign-message.ts',
    find: '  if (isLocked()) return reply(LOCKED);\n',
    replace: '',
  },
  'line-feed-unmarked': {
    file: 'screen/draw.ts',
    find: 'if (ended) drawLineFeed(y, length);',
    replace: 'if (ended && length < COLUMNS) drawLineFeed(y, length);',
  },
  'edge-space-unmarked': {
    file: 'screen/draw.ts',
    find: '(index === 0 || index === length - 1)',
    replace: 'index === 0',
  },
  'binary-like-text': {
    file: 'review/message.ts',
    find: '  items.invert();\n',
    replace: '',
  },
  'amount-rounded': {
    file: 'review/format.ts',
    find: 'if (fraction === 0) return;',
    replace: 'if (fraction < 10) return;',
  },
  'sum-of-64-bits': {
    file: 'review/format.ts',
    find: 'putDecimal(items, a / unit + b / unit + c / unit + fraction / unit);',
    replace: 'putDecimal(items, (a + b + c) / unit);',
  },
  'leap-day-wrong': {
    file: 'review/time.ts',
    find: 'dayOfEra - dayOfEra / 1460 +',
    replace: 'dayOfEra - dayOfEra / 1461 +',
  },
  'other-bytes-signed': {
    file: 'handlers/sign-tx.ts',
    find: 'sha3Update(genesisHash, HASH_LENGTH);\n  sha3Update(upload.bytes, session.transactionLength);',
    replace:
      'sha3Update(genesisHash, HASH_LENGTH);\n  sha3Update(upload.bytes, session.transactionLength - 1);',
  },
  'busy-changes-upload': {
    file: 'apdu/dispatch.ts',
    find: 'if (isReviewing()) return reply(BUSY);',
    replace:
      'if (isReviewing()) {\n    store<u8>(upload.bytes, load<u8>(apduBuffer));\n    return reply(BUSY);\n  }',
  },
  'trailing-bytes-taken': {
    file: 'transaction/parse.ts',
    find: 'if (cursor.position !== cursor.end)',
    replace: 'if (cursor.position + 1 < cursor.end)',
  },
  'approver-unchecked': {
    file: 'transaction/escrow.ts',
    find: 'if (memory.compare(at, ownAccount, ACCOUNT_LENGTH) !== 0)',
    replace: 'if (memory.compare(at, ownAccount, ACCOUNT_LENGTH - 1) !== 0)',
  },
  'chunk-over-the-end': {
    file: 'transport/upload.ts',
    find: 'if (length > this.expected - this.received) return false;',
    replace: 'if (length > this.expected - this.received + 1) return false;',
  },
  'upload-survives': {
    file: 'apdu/dispatch.ts',
    find: 'command.p1 !== P1_DATA || ',
    replace: '',
  },
  'key-left': {
    file: 'handlers/key.ts',
    find: '  wipe(key, KEY);\n  if (outcome === SIGNED)',
    replace: '  if (outcome === SIGNED)',
  },
  'scratch-left': {
    file: 'crypto/crypto.ts',
    find: 'expandKey(key);\n  encodePublicKey(out);\n  wipeScratch();',
    replace: 'expandKey(key);\n  encodePublicKey(out);',
  },
  'secret-index': {
    file: 'crypto/comb.ts',
    find: 'takeWords(COMB_ENTRY + 64, table + 64, index);',
    replace:
      'takeWords(COMB_ENTRY + 64, table + 64, index);\n  store<u64>(COMB_ENTRY + 64, load<u64>(table + ENTRY * index + 64));',
  },
  'secret-branch': {
    file: 'crypto/scalar.ts',
    find: 'const mask = <u32>borrow;',
    replace: 'const mask = <u32>borrow;\n  if (mask === 0) return;',
  },
  'secret-select': {
    file: 'crypto/scalar.ts',
    find: 'const mask = <u32>borrow;',
    replace: 'const mask = select<u32>(0xffffffff, 0, borrow !== 0);',
  },
  'bound-one-too-far': {
    file: 'transaction/cursor.ts',
    find: 'if (<u32>length > <u32>(this.end - at))',
    replace: 'if (<u32>length > <u32>(this.end - at) + 1)',
  },
  'version-ignored': {
    file: 'transaction/parse.ts',
    find: 'if (cursor.u8() !== 1)',
    replace: 'if (cursor.u8() === 0)',
  },
  'flag-of-many-values': {
    file: 'transaction/types/transfer-token.ts',
    find: 'if (transaction.feeInToken > 1)',
    replace: 'if (transaction.feeInToken > 2)',
  },
  'kind-beyond-table': {
    file: 'transaction/account.ts',
    find: 'return kind < KINDS ?',
    replace: 'return kind <= KINDS ?',
  },
  'linked-tail-taken': {
    file: 'transaction/linked.ts',
    find: 'if (cursor.end - cursor.position !== SIGNATURE_LENGTH)',
    replace: 'if (cursor.end - cursor.position < <usize>SIGNATURE_LENGTH)',
  },
  'instruction-too-long': {
    file: 'transaction/escrow.ts',
    find: 'length > <u32>MAX_INSTRUCTION)',
    replace: 'length > <u32>MAX_INSTRUCTION + 1)',
  },
  'multi-party-ignored': {
    file: 'transaction/escrow.ts',
    find: 'if (flag > 1) cursor.refuse(MALFORMED, MULTI_PARTY, at);\n',
    replace: '',
  },
};

export const FAULT_NAMES = Object.keys(FAULTS);

/** Plants a fault in the copy of the sources under `root`; throws when its line is no longer there. */
export function plantFault(root: string, name: string): void {
  const fault = FAULTS[name];
  if (!fault) throw new Error(`there is no fault ${name}`);
  const path = join(root, 'firmware/assembly', fault.file);
  const source = readFileSync(path, 'utf8');
  if (source.split(fault.find).length !== 2) throw new Error(`${fault.file} has not one place for ${name}`);
  writeFileSync(
    path,
    source.replace(fault.find, () => fault.replace),
  );
}
