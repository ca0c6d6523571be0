// The events of the exploration: every command in and out of order, complete and malformed. The transactions
// are vectors, whose screens and signatures come from another implementation.
import { createHmac, type KeyObject, sign } from 'node:crypto';
import { derivePrivateKey, publicKeyOf, seedFromMnemonic, TEST_MNEMONIC } from '@zbc-signer/chain';
import { u32 } from '../../testkit/crypto/little-endian.js';
import { privateKeyObject } from '../../testkit/crypto/openssl.js';
import { sha3 } from '../../testkit/crypto/sha3.js';
import { noncePoint, signRevealed } from '../../testkit/crypto/tweaked-nonce.js';
import { apdu, getPublicKey, signTransaction } from '../../testkit/device/apdu.js';
import { type TransactionCase, transactions } from '../../testkit/repository/vectors.js';
import { NETWORKS } from '../read-back/check.js';

export type SeedName = 'A' | 'B';

export const KNOWN = [...NETWORKS.keys()][0]!;

export const SEEDS: Record<SeedName, Uint8Array> = {
  A: seedFromMnemonic(TEST_MNEMONIC),
  B: seedFromMnemonic(TEST_MNEMONIC, 'another'),
};

const caseNamed = (name: string): TransactionCase => transactions.cases.find(each => each.name === name)!;

/**
 * A transfer, a token transfer whose header ends with a token tail, an approval, and two transfers with an
 * escrow block. All of them are signed with account 0 of seed A.
 */
export const CASES: Record<string, TransactionCase> = {
  send: caseNamed('send to self, reference length 113'),
  token: caseNamed('token, host reports decimals and symbol'),
  approve: caseNamed('escrow approve, coin'),
  escrow: caseNamed('send with escrow, 512-byte instruction, multi-party'),
  'token escrow': caseNamed('token with escrow and message'),
};

/**
 * The messages repeat one letter, so that a part of a message is determined by its length. They have two,
 * three or nine pages.
 */
const LETTER = 0x61;

export const uploadBytes = ({ tx, linked }: TransactionCase) => Buffer.from(tx + (linked ?? ''), 'hex');

function header(
  name: string,
  changes: Partial<{ account: number; genesis: string; length: number; tail: Buffer }> = {},
): Buffer {
  const { account, genesis, tx, linked, token } = CASES[name]!;
  const symbol = Buffer.from(token?.symbol ?? '');
  const tail = token
    ? Buffer.concat([Buffer.of(token.decimals ?? 255, symbol.length), symbol])
    : Buffer.alloc(0);
  return Buffer.concat([
    u32(changes.account ?? account),
    Buffer.from(changes.genesis ?? genesis, 'hex'),
    u32(changes.length ?? tx.length / 2),
    u32((linked ?? '').length / 2),
    changes.tail ?? tail,
  ]);
}

function chunks(name: string, ...ends: number[]): Uint8Array[] {
  const bytes = uploadBytes(CASES[name]!);
  return [...ends, bytes.length].map((end, i) => apdu(0x06, 1, bytes.subarray(ends[i - 1] ?? 0, end)));
}

const hmac = (key: string | Uint8Array, data: string | Uint8Array) =>
  createHmac('sha512', key).update(data).digest();

/** Returns the nodes on the path to the contact key (docs/APDU.md#register_contact). */
export function contactNodes(seed: SeedName): Buffer[] {
  const nodes = [hmac('Symmetric key seed', SEEDS[seed])];
  for (const label of ['\0ZBC signer', '\0contacts']) nodes.push(hmac(nodes.at(-1)!.subarray(0, 32), label));
  return nodes;
}

/** Returns the proof of a contact: genesis hash, padded name and account. */
export function proofOf(seed: SeedName, contact: Uint8Array): Buffer {
  const key = contactNodes(seed).at(-1)!.subarray(32);
  return hmac(key, Buffer.concat([Buffer.from('ZBC-CONTACT\x01'), contact])).subarray(0, 32);
}

/** The contact of the recipient of `send`, on the known chain or on that of the vector. */
const contactOf = (genesis: string, name = 'Bob') =>
  Buffer.concat([
    Buffer.from(genesis, 'hex'),
    Buffer.concat([Buffer.from(name)], 24),
    Buffer.from(CASES.send!.tx, 'hex').subarray(49, 85),
  ]);

/** A header of `send` with the contact of its recipient. */
function headerWithContact(proof: Uint8Array): Uint8Array {
  const name = Buffer.concat([Buffer.from('Bob')], 24);
  const command = apdu(0x06, 0, Buffer.concat([header('send'), name, proof]));
  command[3] = 1;
  return command;
}

const message = (length: number) => apdu(0x07, 0, Buffer.concat([u32(0), u32(length)]));
/** The random bytes of the host. */
const NONCE = Buffer.alloc(32, 0x49);
/** A header with a commitment to NONCE. */
function committed(ins: number, data: Uint8Array): Uint8Array {
  const command = apdu(ins, 0, Buffer.concat([data, sha3(NONCE)]));
  command[3] = 4;
  return command;
}
const letters = (length: number) => apdu(0x07, 1, Buffer.alloc(length, LETTER));

const [send1, send2] = chunks('send', 57) as [Uint8Array, Uint8Array];
const [token] = chunks('token') as [Uint8Array];
const [approve1, approve2] = chunks('approve', 200) as [Uint8Array, Uint8Array];

/** Commands of uploads by name. */
const SENT: Record<string, Uint8Array> = {};

export const commandNamed = (name: string): Uint8Array => COMMANDS[name] ?? SENT[name]!;

export const COMMANDS: Record<string, Uint8Array> = {
  version: apdu(0x03),
  'version with data': apdu(0x03, 0, Buffer.of(1)),
  name: Buffer.from('b001000000', 'hex'),
  key: getPublicKey(0),
  'key confirmed': getPublicKey(1, true),
  'key far away confirmed': getPublicKey(1000, true),
  'key of no index': getPublicKey(0x8000_0000),
  'key without index': apdu(0x05),
  'send header': apdu(0x06, 0, header('send')),
  'send header, known chain': apdu(0x06, 0, header('send', { genesis: KNOWN })),
  'send header with a tail': apdu(0x06, 0, header('send', { tail: Buffer.from([2, 1, 0x4b]) })),
  'send header, empty': apdu(0x06, 0, header('send', { length: 0 })),
  'send header, too large': apdu(0x06, 0, header('send', { length: 2049 })),
  'send header, bad tail': apdu(0x06, 0, header('send', { tail: Buffer.from([9, 0]) })),
  'send header, cut': apdu(0x06, 0, header('send').subarray(0, 43)),
  'send header, other account': apdu(0x06, 0, header('send', { account: 1 })),
  'token header': apdu(0x06, 0, header('token')),
  'approve header': apdu(0x06, 0, header('approve')),
  contact: apdu(0x08, 0, contactOf(CASES.send!.genesis)),
  'contact, known chain': apdu(0x08, 0, contactOf(KNOWN, 'Bob 2')),
  'contact, bad name': apdu(0x08, 0, contactOf(KNOWN, 'zbc_1')),
  'contact, cut': apdu(0x08, 0, contactOf(KNOWN).subarray(0, 91)),
  'contact check': apdu(0x08, 1, Buffer.concat([contactOf(KNOWN), proofOf('A', contactOf(KNOWN))])),
  'send header with a contact': headerWithContact(proofOf('A', contactOf(CASES.send!.genesis))),
  'send header with a wrong proof': headerWithContact(proofOf('B', contactOf(CASES.send!.genesis))),
  'send first': send1,
  'send last': send2,
  'token whole': token,
  'approve first': approve1,
  'approve last': approve2,
  'chunk too long': apdu(0x06, 1, Buffer.alloc(255, LETTER)),
  'chunk of nothing': apdu(0x06, 1),
  'message of 100': message(100),
  'message of 200': message(200),
  'message of 700': message(700),
  'message of 32': message(32),
  'message of 0': message(0),
  'message too large': message(2049),
  'message header, cut': apdu(0x07, 0, u32(0)),
  'letters 100': letters(100),
  'letters 250': letters(250),
  'bytes 250': apdu(0x07, 1, Buffer.alloc(250, 7)),
  'letters 0': apdu(0x07, 1),
  'P2 of 1': Buffer.from('e006010100', 'hex'),
  'P1 of 3': Buffer.from('e006030000', 'hex'),
  'message of 100, committed': committed(0x07, Buffer.concat([u32(0), u32(100)])),
  'send header, committed': committed(0x06, header('send')),
  'message header, committed, cut': committed(0x07, u32(0)),
  'reveal of a message': apdu(0x07, 2, NONCE),
  'reveal of a transaction': apdu(0x06, 2, NONCE),
  'reveal of other bytes': apdu(0x07, 2, Buffer.alloc(32, 0x50)),
  'reveal of nothing': apdu(0x06, 2),
  'another class': Buffer.from('8003000000', 'hex'),
  'another instruction': Buffer.from('e004000000', 'hex'),
  'length that lies': Buffer.from('e00300000501', 'hex'),
  'three bytes': Buffer.from('e00300', 'hex'),
};

/** The commands that also come over another link and channel. */
export const FROM_ELSEWHERE = [
  'version',
  'key',
  'key confirmed',
  'contact',
  'contact check',
  'key of no index',
  'send header',
  'send header, cut',
  'send first',
  'send last',
  'message of 100',
  'letters 100',
  'chunk of nothing',
  'P2 of 1',
  'another class',
  'three bytes',
  'reveal of a message',
  'message of 100, committed',
];

/** The commands of each transaction, and of uploads with a commitment, by name; the alphabet contains only some of them. */
export const UPLOADS: string[][] = [
  ...Object.entries(CASES).map(([name, request]) =>
    signTransaction(request).map((command, i) => {
      const part = `${name}, part ${i}`;
      SENT[part] = command;
      return part;
    }),
  ),
  ['send header, committed', 'send first', 'send last'],
  ['message of 100, committed', 'letters 100'],
];

/**
 * Returns whether an upload has the length of a transaction with an escrow, but other bytes. Such uploads are
 * not explored: the alphabet contains no part of these transactions, and the model does not know which other
 * bytes are valid.
 */
export const isStray = (upload: { length: number; bytes: string }): boolean =>
  ['escrow', 'token escrow'].some(
    name => CASES[name]!.tx.length === 2 * upload.length && !CASES[name]!.tx.startsWith(upload.bytes),
  );

const keys = new Map<string, { publicKey: Buffer; privateKey: KeyObject }>();

/** Returns the key of an account, by node:crypto. */
export function keyOf(seed: SeedName, account: number) {
  const id = `${seed}${account}`;
  let found = keys.get(id);
  if (!found) {
    const secret = derivePrivateKey(SEEDS[seed], account);
    found = { publicKey: Buffer.from(publicKeyOf(secret)), privateKey: privateKeyObject(secret) };
    keys.set(id, found);
  }
  return found;
}

export function signatureOf(seed: SeedName, account: number, bytes: Uint8Array): Buffer {
  return sign(null, bytes, keyOf(seed, account).privateKey);
}

/** Returns R0 for a commitment. */
export const noncePointOf = (seed: SeedName, account: number, commitment: Uint8Array, bytes: Uint8Array) =>
  noncePoint(derivePrivateKey(SEEDS[seed], account), commitment, bytes);

/** Returns the signature to whose nonce the revealed bytes contribute. */
export const revealedOf = (seed: SeedName, account: number, bytes: Uint8Array, revealed: Uint8Array) =>
  signRevealed(derivePrivateKey(SEEDS[seed], account), bytes, revealed);

export { sha3 };
