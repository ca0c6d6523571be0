import { decodeTransaction, fromHex, signingDigest, toHex } from '../../../../chain/src/index.js';
import { UsageError } from '../errors.js';
import { readInput } from '../input.js';
import { formatTable } from '../table.js';
import type { Outcome } from '../terminal.js';
import { transactionJson, transactionRows } from '../transaction-view.js';
import { parseHash } from '../values.js';

const MAX_INPUT_BYTES = 65_536;

interface DecodeOptions {
  hex: string;
  genesis?: string | undefined;
}

export async function decodeHex({ hex, genesis }: DecodeOptions): Promise<Outcome> {
  const bytes = await readBytes(hex);
  const transaction = decodeTransaction(bytes);
  const digest = genesis && toHex(signingDigest(parseHash('--genesis', genesis), bytes));
  return {
    json: { ...transactionJson(transaction), size: bytes.length, ...(digest && { digest }) },
    text: formatTable([
      ...transactionRows(transaction),
      ['Size', `${bytes.length} bytes`],
      ...(digest ? [['Signing digest', digest] as const] : []),
    ]),
  };
}

async function readBytes(hex: string): Promise<Uint8Array> {
  const text = hex === '-' ? (await readInput('the hex', MAX_INPUT_BYTES)).toString('latin1') : hex;
  try {
    return fromHex(text.replace(/\s+/g, ''));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'not hexadecimal');
  }
}
