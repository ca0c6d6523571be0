import type { Module } from '../fault.js';

/** Faults in the command handlers. */
export const handlers: Module = {
  name: 'handlers',
  guards: 'docs/THREATS.md#guarantees',
  guardsBy: {
    'get-public-key.ts': 'docs/APDU.md#get_public_key',
    'sign-tx-header.ts': 'docs/APDU.md#sign_tx',
    'sign-message.ts': 'docs/APDU.md#sign_message',
    'menu.ts': 'docs/SPECIFICATION.md#menu',
    'settings.ts': 'docs/SPECIFICATION.md#menu',
    'reply.ts': 'docs/APDU.md#refusal-details',
    'get-app-version.ts': 'docs/APDU.md#get_app_version',
    'leaves the genesis hash out of the digest': 'docs/TRANSACTION.md#signing-digest',
    'shows a review page only to test harnesses': 'docs/TRANSACTION.md#pages',
    'leaves the tag out of the digest': 'docs/TRANSACTION.md#signing-digest',
    'ends the tag with a zero': 'docs/TRANSACTION.md#signing-digest',
    'leaves the signature out of the transaction hash': 'docs/TRANSACTION.md#signing-digest',
  },
  directory: 'firmware/assembly/handlers',
  tests: ['firmware/vectors', 'firmware/commands'],
  testsBy: {
    'key.ts': ['firmware/residue'],
    'sign-tx-header.ts': ['firmware/commands'],
    'sign-message.ts': ['firmware/refusals'],
    'menu.ts': ['firmware/screens'],
    'settings.ts': ['firmware/screens'],
    'reply.ts': ['firmware/refusals'],
  },
  faults: {
    'sign-tx.ts': {
      'signs before the approval': [
        "return openReview(REVIEW_TRANSACTION, 'Sign transaction', 'Reject transaction');",
        'return answerApprovedTransaction();',
      ],
      'hashes the transaction before the genesis hash': [
        '  sha3Update(genesisHash, HASH_LENGTH);\n  sha3Update(upload.bytes, session.transactionLength);\n',
        '  sha3Update(upload.bytes, session.transactionLength);\n  sha3Update(genesisHash, HASH_LENGTH);\n',
      ],
      'leaves the genesis hash out of the digest': '  sha3Update(genesisHash, HASH_LENGTH);\n',
      'leaves the tag out of the digest': '  sha3Update(tag, TAG_LENGTH);\n',
      'ends the tag with a zero': ['const TAG_LENGTH = 6;', 'const TAG_LENGTH = 7;'],
      'leaves the signature out of the transaction hash': '  sha3Update(apduBuffer, SIGNATURE_LENGTH);\n',
      'signs with account 0 instead of the requested account': ['session.account,', '0,'],
      'keeps details shown after the user hid them': [
        'details.shown = showsDetails();',
        'if (showsDetails()) details.shown = true;',
        'firmware/random-transactions',
        'firmware/vectors',
      ],
      'shows a transaction that the parser refused': [
        'if (cursor.status !== 0) return replyParseRefusal(cursor);',
        '',
        'firmware/refusals',
      ],
      'ignores an unexpected token tail': ['if (hasUnexpectedTail())', 'if (false)', 'firmware/refusals'],
      'checks for an unknown chain only in the header': [
        '  const refused = refuseUnknownChain(genesisHash, GENESIS_AT);\n  if (refused !== 0) return refused;\n',
        '',
        'firmware/approval',
      ],
    },
    'review.ts': {
      'leaves a decided review open': '  if (session.reviewing !== AWAITS_REVEAL) clearCommand();\n',
      'shows a review that it could not form completely': [
        'if (items.overflowed) return reply(INTERNAL);',
        '',
        'firmware/overflow',
      ],
      'shows a review page only to test harnesses': ['();\n  showFrame();\n', '();\n', 'firmware/screens'],
    },
    'get-public-key.ts': {
      'gives an address without the requested confirmation': 'if (command.p1 !== P1_CONFIRM) ',
      'confirms the address of a seed that was swapped': [
        'const status = checkOwnAccount(session.account);',
        'const status = OK;',
        'firmware/approval',
      ],
      'hides the index of a far account': ' || index >= FAR_INDEX',
      'takes account 65536 for a near one': ['index >= FAR_INDEX', '<u32><u16>index >= FAR_INDEX'],
    },
    'key.ts': {
      'accepts an account that cannot be hardened': [
        'return account <= <u32>MAX_ACCOUNT_INDEX;',
        'return account <= 0xffffffff;',
        'firmware/commands',
      ],
      'releases a signature that does not verify': ['INTERNAL;', 'OK;', 'firmware/self-check'],
      'leaves the seed in memory': [
        '  wipe(seedBytes, SEED_LENGTH);\n  return given;\n',
        '  return given;\n',
      ],
      'keeps the signing key': [
        'sign(out, message, length, key, ownAccount + 4);\n  wipe(key, KEY);\n',
        'sign(out, message, length, key, ownAccount + 4);\n',
      ],
      'leaves the key in memory after giving the address': ['wipe(key, KEY);\n  return true', 'return true'],
      'reads the seed to find out whether it is locked': [
        'return locked() !== 0;',
        'return seed(seedBytes) === 0;',
        'firmware/approval',
      ],
    },
    'sign-tx-header.ts': {
      'accepts a transaction to sign while locked': [
        'if (isLocked()) return reply(LOCKED);',
        '',
        'firmware/vectors',
        'firmware/commands',
      ],
      'accepts a transaction of 2049 bytes': ['> <u32>MAX_TRANSACTION', '> <u32>MAX_TRANSACTION + 1'],
      'treats lengths above 2^31 as negative': ['length > <u32>', '<i32>length > '],
      'accepts a linked transaction of any length': ['> <u32>MAX_LINKED', '=== 0xffffffff'],
      'accepts a header with one byte of a tail': [
        'tailLength !== 0 && tailLength < SYMBOL_AT',
        'tailLength < 0',
      ],
      'accepts 9 decimals from the host': ['decimals > <u32>MAX_TOKEN_DECIMALS', 'decimals > 9'],
      'accepts a symbol of 13 characters': ['if (symbolLength > MAX_TOKEN_SYMBOL)', 'if (symbolLength > 13)'],
      'accepts a space in a symbol': ['character <= 0x20', 'character < 0x20'],
      'accepts a delete character in a symbol': ['character > 0x7e', 'character > 0x7f'],
      'keeps details of another token': ['  hint.clear();\n', '', 'firmware/vectors', 'firmware/commands'],
    },
    'unknown-chain.ts': {
      'signs for unknown chains although the user turned that off': [
        'if (!refusesUnknownChains() || isKnownNetwork(genesisHash)) return 0;',
        'return 0;',
        'firmware/screens',
      ],
      'refuses known chains as well as unknown ones': [
        'if (!refusesUnknownChains() || isKnownNetwork(genesisHash)) return 0;',
        'if (!refusesUnknownChains()) return 0;',
        'firmware/screens',
      ],
    },
    'sign-message.ts': {
      'accepts a message to sign while locked': [
        'if (isLocked()) return reply(LOCKED);',
        '',
        'firmware/vectors',
        'firmware/commands',
      ],
      'signs a message of 32 bytes, which could be a digest': ['0 && length !== HASH_LENGTH', '0'],
      'signs a message of 2049 bytes': ['> <u32>MAX_SIGN_MESSAGE', '> <u32>MAX_SIGN_MESSAGE + 1'],
      'signs a message that is not text': ['if (text !== upload.received) return', 'if (text === 0) return'],
      'signs all of a message except its last byte': [
        'signAs(session.account, apduBuffer, upload.bytes, length)',
        'signAs(session.account, apduBuffer, upload.bytes, length - 1)',
        'firmware/vectors',
        'firmware/commands',
      ],
    },
    'menu.ts': {
      'shows the setting the wrong way round': ["() ? 'refused' : 'allowed'", "() ? 'allowed' : 'refused'"],
    },
    'settings.ts': {
      'refuses unknown chains by default': [
        'return load<u8>(settings, UNKNOWN_CHAINS_AT) !== 0;',
        'return load<u8>(settings, UNKNOWN_CHAINS_AT) === 0;',
        'firmware/vectors',
        'firmware/commands',
      ],
      'forgets the setting at power-off': '  settings_store(settings, SETTINGS_LENGTH);\n',
      'accepts any stored byte as a setting': '    load<u8>(settings) === MARK &&\n',
      'does not report settings that were partly written': ['isStored && !isIntact;', 'false;'],
      'forgets both settings at its start when both are on': [
        'load<u32>(settings, CHECK_AT) === checkOfSettings();',
        'load<u32>(settings, CHECK_AT) === checkOfSettings() && load<u16>(settings, UNKNOWN_CHAINS_AT) !== 0x101;',
      ],
    },
    'reply.ts': {
      'reports the offset of a refusal from the wrong end': ['offset, 1', 'bswap<u16>(<u16>offset), 1'],
    },
    'get-app-version.ts': {
      'does not say that it is locked': ['(isLocked() ? FLAG_LOCKED : 0)', '0'],
    },
  },
};

/** Faults in contacts: their proofs, names and refusals, and the setting that allows contacts only. */
export const contacts: Module = {
  name: 'contacts',
  guards: 'docs/APDU.md#contacts-in-sign_tx',
  guardsBy: {
    'handlers/register-contact.ts': 'docs/APDU.md#register_contact',
    'leaves out': 'docs/APDU.md#register_contact',
  },
  directory: 'firmware/assembly',
  tests: ['firmware/vectors'],
  faults: {
    'crypto/crypto.ts': {
      'compares 24 of 32 bytes of a proof': [
        'for (let at = 0; at < 32; at += 8) difference |=',
        'for (let at = 0; at < 24; at += 8) difference |=',
      ],
      'stops to compare a proof at the first difference': [
        'difference |= load<u64>(NODE + at)',
        'if (difference === 0) difference |= load<u64>(NODE + at)',
        'firmware/crypto/constant-time',
      ],
      'leaves the key of contacts in memory after a proof': [
        'length);\n  memory.copy(out, NODE, 32);\n  wipeScratch();',
        'length);\n  memory.copy(out, NODE, 32);',
        'firmware/crypto/residue',
      ],
      'leaves the computed proof in memory': [
        '  wipeScratch();\n  return difference === 0;',
        '  return difference === 0;',
        'firmware/crypto/residue',
      ],
    },
    'crypto/contact-key.ts': {
      'uses the left half of the last node as the key': ['NODE + 32, 32, message', 'NODE, 32, message'],
    },
    'handlers/contact.ts': {
      'leaves the chain out of a proof':
        '  memory.copy(apduBuffer + TAG_LENGTH, genesisHash, HASH_LENGTH);\n',
      'leaves the kind out of a proof': [
        'account.payload - KIND_LENGTH, length)',
        'account.payload, length)',
      ],
      'allows two spaces in a row': [' || (character === SPACE && last === SPACE)', ''],
      'allows a name that looks like an address': ['& 0xffdfdfdf', '& 0xffffffff'],
      'allows bytes behind the end of a name': [
        'if (load<u8>(name + i) !== 0) return 0;',
        'if (load<u8>(name + i) > 0x7f) return 0;',
      ],
      "checks the approver's proof against the recipient's": [
        'P2_APPROVER_CONTACT, contacts + CONTACT_LENGTH, false',
        'P2_APPROVER_CONTACT, contacts, false',
      ],
      'drops a wrong proof in silence': [
        'cursor.refuseAt(MALFORMED, CONTACT_PROOF, field, offset);',
        'account.nameLength = 0;',
      ],
      "takes an approver's contact without an escrow": [
        '(session.options & P2_APPROVER_CONTACT) !== 0',
        'false',
      ],
      'asks for a contact of the own account': [
        ' && memory.compare(wire, ownAccount, ACCOUNT_LENGTH) !== 0',
        '',
      ],
      'pays others with the setting': ['!isLinked && paysContactsOnly()', 'isLinked && paysContactsOnly()'],
    },
    'handlers/key.ts': {
      'leaves the seed in memory after a proof': [
        '  wipe(seedBytes, SEED_LENGTH);\n  return given ?',
        '  return given ?',
        'firmware/residue',
      ],
      'leaves the seed in memory after a check': [
        '  wipe(seedBytes, SEED_LENGTH);\n  return isProved;',
        '  return isProved;',
        'firmware/residue',
      ],
    },
    'handlers/register-contact.ts': {
      'registers the marker for no account': ['payload <= 0', 'payload < 0', 'firmware/commands'],
      'releases a proof before the approval': [
        "return openReview(REVIEW_CONTACT, 'Save contact', 'Reject contact');",
        'return answerApprovedContact();',
      ],
      'answers a check with the right proof': [
        'return isProved ? replyOk()',
        'return isProved ? replyData(CONTACT_PROOF_LENGTH, OK)',
      ],
      'registers on a chain that the user refuses': [
        '  if (refused !== 0) return refused;\n',
        '',
        'firmware/commands',
      ],
    },
  },
};

/** Faults in signatures with a commitment: the nonce, the order of the commands, and the state between them. */
export const antiExfil: Module = {
  name: 'anti-exfil',
  guards: 'docs/APDU.md#signatures-without-hidden-data',
  guardsBy: {
    'apdu/dispatch.ts': 'docs/SPECIFICATION.md#states',
    'handlers/review.ts': 'docs/SPECIFICATION.md#states',
    'apdu/commands.ts': 'docs/SPECIFICATION.md#states',
  },
  directory: 'firmware/assembly',
  tests: ['firmware/reveal'],
  testsBy: {
    'crypto/tweaked-nonce.ts': ['firmware/crypto/tweaked-nonce'],
    'handlers/contact.ts': ['firmware/vectors', 'firmware/commands'],
  },
  faults: {
    'crypto/tweaked-nonce.ts': {
      'leaves the commitment out of the nonce': '  sha512Update(commitment, 32);\n',
      'leaves the message out of the nonce': '  sha512Update(message, length);\n',
      'leaves the prefix out of the nonce': '  sha512Update(EXPANDED_KEY + 32, 32);\n',
      'leaves the tag out of the nonce': '  hashTag(OWN_PART);\n',
      'leaves ff out of the tag': ['0x544e412d43425aff', '0x544e412d43425a00'],
      'forms both nonces with one number': ['const TWEAK_PART: u64 = 1;', 'const TWEAK_PART: u64 = 0;'],
      'leaves the tweak out of the nonce': '  addScalar(NONCE, NONCE, TWEAK);\n',
      'leaves R0 out of the tweak': '  sha512Update(NONCE_POINT, 32);\n',
      'leaves the revealed bytes out of the tweak': '  sha512Update(revealed, 32);\n',
      'accepts revealed bytes of another commitment': [
        'return equalBytes(NONCE_POINT, point);',
        'return true;',
      ],
      'compares R0 only at the end': [
        '  if (!makeTweakedNonce(message, length, revealed, point)) return false;\n',
        '  if (!makeTweakedNonce(message, length, revealed, point)) return true;\n',
      ],
    },
    'crypto/crypto.ts': {
      'gives R0 of another key than the reviewed one': [
        'withhold(out, WRONG_KEY);\n  commitNonce(',
        'SIGNED;\n  commitNonce(',
        'firmware/crypto/tweaked-nonce',
      ],
      'leaves the nonce in memory after R0': [
        'unreachable();\n  wipeScratch();\n',
        'unreachable();\n',
        'firmware/crypto/residue',
      ],
    },
    'handlers/contact.ts': {
      'takes the commitment for a token tail': [
        '(options & P2_COMMITMENT) !== 0 ? COMMITMENT_LENGTH : 0',
        '0',
      ],
    },
    'handlers/reveal.ts': {
      'gives R0 and waits for nothing': '  session.reviewing = AWAITS_REVEAL;\n',
      'keeps the commitment in place of R0': '  memory.copy(commitment, apduBuffer, NONCE_POINT_LENGTH);\n',
      'waits on no channel': '  link.owner = link.pending;\n',
      'signs for REVEAL of another host': ['command.isAside || ', ''],
      'signs once more after REVEAL': '  upload.drop();\n',
      'accepts REVEAL of any length': [
        'command.length === COMMITMENT_LENGTH ? 0',
        'command.length >= 0 ? 0',
        'firmware/commands',
      ],
      'leaves the data of a refused REVEAL in memory': '  wipe(command.data, command.length);\n',
      'refuses other bytes without a reason': ['status === MALFORMED ? ', 'status !== MALFORMED ? '],
    },
    'handlers/key.ts': {
      'keeps the key after R0': [
        'commit(out, commitment, message, length, key, ownAccount + 4);\n  wipe(key, KEY);\n',
        'commit(out, commitment, message, length, key, ownAccount + 4);\n',
        'firmware/residue',
      ],
      'keeps the key after REVEAL': [
        'revealed, commitment);\n  wipe(key, KEY);\n',
        'revealed, commitment);\n',
        'firmware/residue',
      ],
    },
    'handlers/sign-tx.ts': {
      'signs at the approval in spite of the commitment':
        '  if ((session.options & P2_COMMITMENT) !== 0) return answerCommitted(INS_SIGN_TX, digest, HASH_LENGTH);\n',
      'signs bytes that changed after the approval': [
        '  let refused = takeReveal(command);\n  if (refused !== 0) return refused;\n  checkBytes();\n',
        '  let refused = takeReveal(command);\n  if (refused !== 0) return refused;\n  hashPayload(digest);\n',
      ],
    },
    'handlers/sign-message.ts': {
      'signs a message at the approval in spite of the commitment':
        '  if (session.options !== P2_NONE) return answerCommitted(INS_SIGN_MESSAGE, upload.bytes, length);\n',
      'waits for REVEAL of a transaction': ['answerCommitted(INS_SIGN_MESSAGE', 'answerCommitted(6'],
    },
    'handlers/get-public-key.ts': {
      'forgets the reviewed account when another host asks for a key': [
        'writePublicKey(apduBuffer, index)',
        '(writePublicKey(apduBuffer, index) + loadOwnAccount(index)) >> 1',
      ],
    },
    'handlers/review.ts': {
      'keeps the state of the review after an approval': ['  clearReview();\n', '', 'firmware/reveal'],
      'forgets the approved bytes': ['session.reviewing !== AWAITS_REVEAL', 'true'],
    },
    'apdu/dispatch.ts': {
      'takes a chunk for REVEAL': ['session.reviewing === AWAITS_REVEAL ? P1_REVEAL : P1_DATA', 'P1_DATA'],
    },
    'apdu/commands.ts': {
      'lets no header with a commitment take over': [
        'command.p1 === P1_HEADER && command.hasOptions(P2_COMMITMENT)',
        'command.p1 === P1_HEADER && command.hasOptions(P2_NONE)',
      ],
    },
    'transport/link.ts': {
      'keeps a command of reports after it was answered': '    memory.fill(own, 0, INCOMING_BYTES);\n',
    },
    'index.ts': {
      'keeps an approval whose host went away': ['  else clearCommand();\n', ''],
    },
  },
};
