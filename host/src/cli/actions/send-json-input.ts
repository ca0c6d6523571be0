import {
  type Account,
  AddressError,
  fromHex,
  MAX_U64,
  parseAccount,
  publicKeyOf,
  toHex,
} from '../../../../chain/src/index.js';
import { SEND_ZBC } from '../../../../protocol/transaction-types.js';
import type { SendDraft } from '../../flow/draft.js';
import { parseJson } from '../../gateway/json.js';
import { SoftwareSigner } from '../../software-signer.js';
import { UsageError } from '../errors.js';
import { readInput } from '../input.js';
import { runFlow, type SendingOptions } from '../sending.js';
import type { Outcome, Terminal } from '../terminal.js';

const MAX_INPUT_BYTES = 16_384;
const PRIVATE_KEY_DIGITS = 64;
const FIELDS = ['sender_privkey', 'recipient', 'amount', 'fee', 'message'];

/** The contract's command-line sender: everything comes on stdin, the key stays in this process and is never shown. */
export async function sendJsonInput(options: SendingOptions, terminal: Terminal): Promise<Outcome> {
  const input = await readInput('the JSON object', MAX_INPUT_BYTES);
  const { draft, signer } = parseInput(input.toString('utf8'));
  input.fill(0);
  try {
    return await runFlow(draft, { signer, account: 0, asksDevice: false }, options, terminal);
  } finally {
    signer.wipe();
  }
}

/** The errors say which field is wrong and repeat nothing of it. */
function parseInput(text: string): { draft: SendDraft; signer: SoftwareSigner } {
  const fields = parseFields(text);
  const recipient = fields.get('recipient');
  const message = fields.get('message');
  if (typeof recipient !== 'string') {
    throw new UsageError('recipient must be a string: a ZBC_ address or an account in hex');
  }
  if (message !== undefined && typeof message !== 'string') {
    throw new UsageError('message must be a string');
  }
  const draft: SendDraft = {
    type: SEND_ZBC,
    recipient: parseRecipient(recipient),
    amount: parseAtoms('amount', fields.get('amount')),
    ...(fields.has('fee') && { fee: parseAtoms('fee', fields.get('fee')) }),
    ...(message !== undefined && { message: new TextEncoder().encode(message) }),
  };
  return { draft, signer: new SoftwareSigner(parsePrivateKey(fields.get('sender_privkey'))) };
}

/** An error about the wire form would repeat its first bytes, and a key can have been pasted here. */
function parseRecipient(text: string): Account {
  try {
    return parseAccount(text);
  } catch (error) {
    throw error instanceof AddressError
      ? error
      : new UsageError('recipient is neither a ZBC_ address nor an account in hex');
  }
}

function parseFields(text: string): Map<string, unknown> {
  const json = parseObject(text);
  const fields = new Map(Object.entries(json));
  if ([...fields.keys()].some(name => !FIELDS.includes(name))) {
    throw new UsageError(`stdin has a field that is not one of ${FIELDS.join(', ')}`);
  }
  return fields;
}

function parseObject(text: string): object {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch {
    throw new UsageError('stdin is not JSON');
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new UsageError('stdin must be one JSON object');
  }
  return json;
}

function parseAtoms(name: string, value: unknown): bigint {
  if (typeof value !== 'bigint' || value < 0n || value > MAX_U64) {
    throw new UsageError(`${name} must be a whole number of atomic units (1 ZBC is 100000000), below 2^64`);
  }
  return value;
}

/** 32 bytes; or 64, the form of several Ed25519 libraries, which has the public key behind the private one. */
function parsePrivateKey(value: unknown): Uint8Array {
  const digits = typeof value === 'string' ? value.replace(/^0x/i, '') : '';
  if (!/^([0-9a-f]{64}){1,2}$/i.test(digits)) {
    throw new UsageError('sender_privkey must be the 32-byte private key in hex: 64 digits');
  }
  const key = fromHex(digits.slice(0, PRIVATE_KEY_DIGITS));
  const publicKey = digits.slice(PRIVATE_KEY_DIGITS).toLowerCase();
  if (publicKey !== '' && publicKey !== toHex(publicKeyOf(key))) {
    throw new UsageError(
      'sender_privkey has 64 bytes, but the last 32 are not the public key of the first 32',
    );
  }
  return key;
}
