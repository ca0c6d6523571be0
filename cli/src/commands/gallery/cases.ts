import { cleanText, fromHex, parseJson } from '@zbc-signer/chain';
import type { SignTransactionRequest, TokenDetails } from '@zbc-signer/host';
import { MAX_ACCOUNT_INDEX } from '@zbc-signer/protocol/limits';
import { UsageError } from '../../errors/errors.js';
import { readBytes } from '../../input/files.js';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_CASES = 5000;
const MAX_CASE_DIGITS = 20_000;

/** A request to the device: a transaction with its header fields, a message, or the commands as they are sent. */
export type GalleryRequest =
  | ({ kind: 'transaction' } & SignTransactionRequest)
  | { kind: 'message'; account: number; message: Uint8Array }
  | { kind: 'commands'; commands: Uint8Array[] };

export interface GalleryCase {
  /** The name without control characters; not yet escaped for HTML. */
  name: string;
  request: GalleryRequest;
}

interface GalleryFile {
  /** A BIP-39 mnemonic; the test mnemonic is used if the file has none. */
  mnemonic: string | undefined;
  cases: GalleryCase[];
}

type Fields = Record<string, unknown>;

/** Reads a file like vectors/transactions.json, messages.json or contacts.json; throws UsageError naming file and case. */
export async function readCases(path: string, signal: AbortSignal): Promise<GalleryFile> {
  const document = Object(
    parseFile(path, (await readBytes('the list of cases', path, MAX_FILE_BYTES, signal)).toString()),
  ) as Fields;
  const { cases, mnemonic } = document;
  if (!Array.isArray(cases) || cases.length > MAX_CASES) {
    throw new UsageError(`${path} must have a list "cases" with at most ${MAX_CASES} cases`);
  }
  return {
    mnemonic: typeof mnemonic === 'string' ? mnemonic : undefined,
    cases: cases.map((fields: unknown, index) => {
      try {
        return parseCase(Object(fields) as Fields, index + 1);
      } catch (error) {
        throw new UsageError(`${path}, case ${index + 1}: ${(error as Error).message}`);
      }
    }),
  };
}

function parseFile(path: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new UsageError(`${path} is not JSON`);
  }
}

function parseCase(fields: Fields, number: number): GalleryCase {
  const { name, account, message, steps } = fields;
  const given = typeof name === 'string' ? cleanText(name) : '';
  if (Array.isArray(steps)) {
    const commands = steps.map(step => hexField(Object(step) as Fields, 'command'));
    return { name: given || `commands ${number}`, request: { kind: 'commands', commands } };
  }
  const index = Number(account);
  if (typeof account !== 'bigint' || index < 0 || index > MAX_ACCOUNT_INDEX) {
    throw new RangeError(`account must be a whole number from 0 to ${MAX_ACCOUNT_INDEX}`);
  }
  const isMessage = message !== undefined;
  return {
    name: given === '' ? `${isMessage ? 'message' : 'transaction'} ${number}` : given,
    request: isMessage
      ? { kind: 'message', account: index, message: hexField(fields, 'message') }
      : parseTransactionCase(fields, index),
  };
}

function parseTransactionCase(fields: Fields, account: number): GalleryRequest {
  return {
    kind: 'transaction',
    account,
    genesisHash: hexField(fields, 'genesis'),
    transaction: hexField(fields, 'tx'),
    ...(fields.linked !== undefined && { linked: hexField(fields, 'linked') }),
    ...(fields.token !== undefined && { token: parseToken(Object(fields.token) as Fields) }),
  };
}

function parseToken({ decimals, symbol }: Fields): TokenDetails {
  if (
    (decimals !== undefined && typeof decimals !== 'bigint') ||
    (symbol !== undefined && typeof symbol !== 'string')
  ) {
    throw new TypeError('token must have decimals (a whole number), symbol (a string), or both');
  }
  return {
    ...(decimals !== undefined && { decimals: Number(decimals) }),
    ...(symbol !== undefined && { symbol }),
  };
}

function hexField(fields: Fields, name: string): Uint8Array {
  const value = fields[name];
  if (typeof value !== 'string' || value.length > MAX_CASE_DIGITS) {
    throw new TypeError(`${name} must be hex of at most ${MAX_CASE_DIGITS} digits`);
  }
  try {
    return fromHex(value);
  } catch {
    throw new TypeError(`${name} is not hex`);
  }
}
