import {
  accountFromPublicKey,
  type BroadcastState,
  decodeLinked,
  decodeTransaction,
  encodeTransaction,
  formatJson,
  fromHex,
  MAX_U64,
  parseJson,
  type TokenDetails,
  toHex,
  transactionHash,
  transactionId,
  ZbcSignerError,
} from '@zbc-signer/chain';
import {
  HASH_LENGTH,
  MAX_ACCOUNT_INDEX,
  PUBLIC_KEY_LENGTH,
  SIGNATURE_LENGTH,
} from '@zbc-signer/protocol/limits';
import { APPROVAL_ESCROW, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import {
  accountsToName,
  type Contact,
  type ContactSubject,
  copyContacts,
  type TransactionContacts,
} from '../device/contact.js';
import { expectedReview } from '../device/expected-review.js';
import { checkSigned } from '../device/signed-transaction.js';
import { reasonOf } from '../errors.js';
import { readSent } from './errors.js';
import {
  type EscrowedPayment,
  type PreparedTransaction,
  type SignedTransaction,
  withJson,
} from './prepared.js';
import { takeUnsubmitted } from './sent.js';

const FORMAT = 'zbc-signer-transaction';
const VERSION = 1n;
/** Maximum length of a document. That of the largest transaction and linked transaction is shorter. */
const MAX_CHARACTERS = 65_536;
/** The fields that only a signed transaction has. */
const SIGNED_NAMES = ['signature', 'transaction_hash', 'transaction_id', 'sent'];
const NAMES = [
  'format',
  'version',
  'state',
  'account',
  'genesis_hash',
  'public_key',
  'transaction',
  'linked',
  'token',
  'contacts',
  'review',
  'height',
  ...SIGNED_NAMES,
];
const SENT: readonly unknown[] = ['no', 'maybe', 'yes'] satisfies BroadcastState[];

type Fields = ReadonlyMap<string, unknown>;

/**
 * The transaction as a JSON document of one line (docs/TRANSACTION.md#transaction-document), which can be
 * signed or submitted elsewhere or later. Bytes are in lower-case hex; the id is a string of digits.
 */
export function formatDocument(transaction: PreparedTransaction | SignedTransaction): string {
  const { account, genesisHash, publicKey, escrowed, token, height } = transaction;
  // Only the device can tell whether a name is proved, and it no longer sees a signed transaction.
  const { contacts, review } = 'signature' in transaction ? unnamed(transaction) : transaction;
  takeUnsubmitted(transaction);
  return formatJson({
    format: FORMAT,
    version: VERSION,
    state: 'signature' in transaction ? 'signed' : 'prepared',
    account,
    genesis_hash: toHex(genesisHash),
    public_key: toHex(publicKey),
    transaction: toHex(encodeTransaction(transaction.transaction)),
    ...(escrowed && { linked: toHex(escrowed.bytes) }),
    ...(token && { token }),
    ...(contacts && { contacts: formatContacts(contacts) }),
    review,
    height,
    ...('signature' in transaction && signedFields(transaction)),
  });
}

function unnamed({ genesisHash, transaction, escrowed, token }: SignedTransaction) {
  const subject = { genesisHash, transaction, linked: escrowed?.transaction, token };
  return { contacts: undefined, review: expectedReview(subject) };
}

/** Their accounts and chain are those of the transaction. */
function formatContacts({ recipient, approver }: TransactionContacts) {
  const fields = ({ name, proof, signer }: Contact) => ({ name, proof: toHex(proof), signer: toHex(signer) });
  return {
    ...(recipient && { recipient: fields(recipient) }),
    ...(approver && { approver: fields(approver) }),
  };
}

function signedFields({ signature, transactionHash: hash, transactionId: id, sent }: SignedTransaction) {
  return { signature: toHex(signature), transaction_hash: toHex(hash), transaction_id: `${id}`, sent };
}

/**
 * Reads a document of `formatDocument`. The document is untrusted. Therefore its bytes are decoded as in a
 * signer, its signature is verified, and its review, hash and id must match the bytes. Throws
 * `INVALID_DOCUMENT`.
 */
export function parseDocument(json: string): PreparedTransaction | SignedTransaction {
  try {
    const fields = readFields(json);
    const prepared = readPrepared(fields);
    return withJson(fields.get('state') === 'signed' ? readSigned(fields, prepared) : prepared);
  } catch (error) {
    if (error instanceof ZbcSignerError && error.code === 'INVALID_DOCUMENT') throw error;
    throw invalid(reasonOf(error), error);
  }
}

/**
 * Like `parseDocument`, but throws `INVALID_DOCUMENT` if the transaction is not signed. The `facts.sent` of
 * an error is `maybe`, because the transaction of an unreadable document may have been sent earlier.
 */
export function parseSignedDocument(json: string): SignedTransaction {
  const transaction = readSent(() => parseDocument(json));
  if (!('signature' in transaction)) {
    throw new ZbcSignerError('INVALID_DOCUMENT', 'the transaction document is not signed yet');
  }
  return transaction;
}

function readFields(json: string): Fields {
  if (json.trim() === '') throw invalid('it is empty');
  if (json.length > MAX_CHARACTERS) throw invalid(`it is longer than ${MAX_CHARACTERS} characters`);
  const fields = toFields(parseJson(json), NAMES);
  if (fields.get('format') !== FORMAT) throw invalid(`its format is not ${FORMAT}`);
  if (fields.get('version') !== VERSION) throw invalid(`its version is not ${VERSION}`);
  const isSigned = fields.get('state') === 'signed';
  if (!isSigned && fields.get('state') !== 'prepared') throw invalid('its state is unknown');
  if (!isSigned && SIGNED_NAMES.some(name => fields.has(name)))
    throw invalid('its state contradicts its fields');
  return fields;
}

function toFields(json: unknown, names: readonly string[]): Fields {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw invalid('it is not an object');
  const fields = new Map(Object.entries(json));
  for (const name of fields.keys()) {
    if (!names.includes(name)) throw invalid('it has an unknown field');
  }
  return fields;
}

function readPrepared(fields: Fields): PreparedTransaction {
  const publicKey = readBytes(fields, 'public_key', PUBLIC_KEY_LENGTH);
  const own = accountFromPublicKey(publicKey);
  const transaction = decodeTransaction(readBytes(fields, 'transaction'), own);
  const escrowed = fields.has('linked') ? readEscrowed(readBytes(fields, 'linked')) : undefined;
  if ((escrowed !== undefined) !== (transaction.type === APPROVAL_ESCROW)) {
    throw invalid('exactly escrow approvals have linked');
  }
  if (transaction.type === APPROVAL_ESCROW && escrowed !== undefined) {
    decodeLinked(escrowed.bytes, own);
    const hash = transactionHash(escrowed.unsigned, escrowed.signature);
    if (toHex(hash) !== toHex(transaction.escrowHash)) throw invalid('linked does not match the escrow hash');
  }
  const token = fields.has('token') ? readToken(fields.get('token')) : undefined;
  if (token !== undefined && transaction.type !== TRANSFER_TOKEN)
    throw invalid('token is only valid for a token transfer');
  const genesisHash = readBytes(fields, 'genesis_hash', HASH_LENGTH);
  const subject = { genesisHash, transaction, linked: escrowed?.transaction };
  if (fields.has('contacts') && fields.get('state') === 'signed')
    throw invalid('only a prepared transaction has contacts');
  const contacts = fields.has('contacts') ? readContacts(fields.get('contacts'), subject) : undefined;
  const review = expectedReview({ ...subject, token, contacts });
  if (formatJson(fields.get('review')) !== formatJson(review)) throw invalid('review contradicts the bytes');
  return {
    account: readAccount(fields.get('account')),
    genesisHash,
    publicKey,
    transaction,
    ...(escrowed && { escrowed }),
    ...(token && { token }),
    ...(contacts && { contacts }),
    review,
    height: readHeight(fields.get('height')),
  };
}

function readEscrowed(bytes: Uint8Array): EscrowedPayment {
  return { ...decodeLinked(bytes), bytes };
}

function readSigned(fields: Fields, prepared: PreparedTransaction): SignedTransaction {
  const { genesisHash, publicKey, transaction } = prepared;
  const signature = readBytes(fields, 'signature', SIGNATURE_LENGTH);
  const hash = readBytes(fields, 'transaction_hash', HASH_LENGTH);
  const signed = { signature, transactionHash: hash };
  checkSigned(signed, { genesisHash, unsigned: encodeTransaction(transaction), publicKey });
  const id = transactionId(hash);
  if (fields.get('transaction_id') !== `${id}`) throw invalid('transaction_id contradicts the hash');
  const sent = fields.get('sent');
  if (!isSent(sent)) throw invalid('sent is not no, maybe or yes');
  return { ...prepared, ...signed, transactionId: id, sent };
}

function isSent(sent: unknown): sent is BroadcastState {
  return SENT.includes(sent);
}

function readAccount(account: unknown): number {
  if (typeof account !== 'bigint' || account < 0n || account > BigInt(MAX_ACCOUNT_INDEX)) {
    throw invalid(`account is not a whole number from 0 to ${MAX_ACCOUNT_INDEX}`);
  }
  return Number(account);
}

/** Reads the height; 0 for a document of an earlier release, which lacks it. */
function readHeight(height: unknown = 0n): bigint {
  if (typeof height !== 'bigint' || height < 0n || height > MAX_U64) {
    throw invalid('height is not the height of a block');
  }
  return height;
}

/** Reads the token details, with the same bounds as in the header of SIGN_TX (docs/APDU.md#sign_tx). */
function readToken(json: unknown): TokenDetails {
  const token = toFields(json, ['decimals', 'symbol']);
  const [decimals, symbol] = [token.get('decimals'), token.get('symbol')];
  if (decimals !== undefined && (typeof decimals !== 'bigint' || decimals < 0n || decimals > 8n)) {
    throw invalid('token.decimals is not a whole number from 0 to 8');
  }
  if (symbol !== undefined && (typeof symbol !== 'string' || !/^[\x21-\x7e]{1,12}$/.test(symbol))) {
    throw invalid('token.symbol is not 1 to 12 printable ASCII characters');
  }
  return {
    ...(decimals !== undefined && { decimals: Number(decimals) }),
    ...(symbol !== undefined && { symbol }),
  };
}

function readContacts(json: unknown, subject: ContactSubject): TransactionContacts {
  const given = toFields(json, ['recipient', 'approver']);
  const accounts = accountsToName(subject);
  const read = (field: 'recipient' | 'approver') => {
    if (!given.has(field)) return undefined;
    const contact = toFields(given.get(field), ['name', 'proof', 'signer']);
    const [account, name] = [accounts[field], contact.get('name')];
    if (account === undefined || typeof name !== 'string')
      throw invalid(`contacts.${field} has no account or name`);
    const [proof, signer] = [readBytes(contact, 'proof'), readBytes(contact, 'signer')];
    return { name, account, genesisHash: subject.genesisHash, proof, signer };
  };
  const contacts = copyContacts({ recipient: read('recipient'), approver: read('approver') });
  if (contacts === undefined) throw invalid('contacts is empty');
  return contacts;
}

function readBytes(fields: Fields, name: string, length?: number): Uint8Array {
  const text = fields.get(name);
  if (typeof text !== 'string' || !/^([0-9a-f]{2})+$/.test(text)) throw invalid(`${name} is not hex`);
  if (length !== undefined && text.length !== 2 * length) throw invalid(`${name} is not ${length} bytes`);
  return fromHex(text);
}

function invalid(fault: string, cause?: unknown): ZbcSignerError {
  return new ZbcSignerError('INVALID_DOCUMENT', `not a transaction document: ${fault}`, { cause });
}
