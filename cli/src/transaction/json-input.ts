import {
  type Account,
  fromHex,
  MAX_U64,
  parseAccount,
  publicKeyOf,
  toHex,
  ZbcSignerError,
} from '@zbc-signer/chain';
import type { SendDraft } from '@zbc-signer/host';
import { SoftwareSigner } from '@zbc-signer/host/software-signer';
import { MAX_MESSAGE } from '@zbc-signer/protocol/limits';
import { SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { OptionError, UsageError } from '../errors/errors.js';
import { readStdin } from '../input/files.js';
import { parseJsonObject, parseText } from '../input/values.js';
import type { Outcome, Terminal } from '../output/terminal.js';
import { NO_CONTACTS } from './contacts.js';
import { runFlow, type SendingOptions } from './sending.js';

const MAX_INPUT_BYTES = 16_384;
const PRIVATE_KEY_DIGITS = 64;
const FIELDS = ['sender_privkey', 'recipient', 'amount', 'fee', 'message'];

/** Sends the payment on stdin, signed in this process; the key is not printed, and is wiped afterwards. */
export async function sendJsonInput(options: SendingOptions, terminal: Terminal): Promise<Outcome> {
  const input = await readStdin('the JSON object', MAX_INPUT_BYTES, terminal.signal);
  const { draft, signer } = parseInput(input.toString('utf8'));
  input.fill(0);
  try {
    return await runFlow(
      draft,
      { signer, account: 0, asksDevice: false, findContacts: NO_CONTACTS },
      options,
      terminal,
    );
  } finally {
    signer.wipe();
  }
}

/** Errors name the invalid field and never quote its value. */
function parseInput(text: string): { draft: SendDraft; signer: SoftwareSigner } {
  const fields = parseFields(text);
  const recipient = fields.get('recipient');
  const message = fields.get('message');
  if (typeof recipient !== 'string') {
    throw new UsageError('recipient must be a string: a ZBC_ address or an account in hex');
  }
  if (message !== undefined && typeof message !== 'string') throw new UsageError('message must be a string');
  const draft: SendDraft = {
    type: SEND_ZBC,
    recipient: parseRecipient(recipient),
    amount: parseAtoms('amount', fields.get('amount')),
    ...(fields.has('fee') && { fee: parseAtoms('fee', fields.get('fee')) }),
    ...(message !== undefined && { message: parseText('message', message, MAX_MESSAGE) }),
  };
  return { draft, signer: new SoftwareSigner(parsePrivateKey(fields.get('sender_privkey'))) };
}

/** The parser's errors quote the first bytes of a wire form, which may be a pasted key. */
function parseRecipient(text: string): Account {
  try {
    return parseAccount(text);
  } catch (error) {
    throw error instanceof ZbcSignerError && error.code.startsWith('ADDRESS_')
      ? new OptionError('recipient', error)
      : new UsageError('recipient is neither a ZBC_ address nor an account in hex');
  }
}

function parseFields(text: string): Map<string, unknown> {
  const fields = new Map(Object.entries(parseJsonObject('stdin', text)));
  const unknown = [...fields.keys()].find(name => !FIELDS.includes(name));
  if (unknown === undefined) return fields;
  // A key may have been pasted in place of a name, so it is never printed.
  const shown = /^\w{1,32}$/.test(unknown) ? `the unknown field ${unknown}` : 'an unknown field';
  throw new UsageError(`stdin has ${shown}; the fields are ${FIELDS.join(', ')}`);
}

function parseAtoms(name: string, value: unknown): bigint {
  if (typeof value !== 'bigint' || value < 0n || value > MAX_U64) {
    throw new UsageError(`${name} must be a whole number of atomic units (1 ZBC is 100000000), below 2^64`);
  }
  return value;
}

/** Accepts 32 bytes, or 64 as in several Ed25519 libraries: the private key, then the public key. */
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
