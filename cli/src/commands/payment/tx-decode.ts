import { decodeTransaction, fromHex, signingDigest, toHex } from '@zbc-signer/chain';
import { UsageError } from '../../errors/errors.js';
import { readStdin } from '../../input/stdin.js';
import { parseHash } from '../../input/values.js';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { transactionJson, transactionRows } from '../../transaction/fields.js';

const MAX_INPUT_BYTES = 65_536;

export const command = defineCommand({
  arguments: {
    hex: {
      demandOption: true,
      describe: 'the unsigned bytes in hex; - reads them from stdin',
    },
  },
  options: {
    genesis: {
      describe: 'genesis hash, to compute the signing digest',
    },
  },
  examples: [['$0 tx decode 0100000001…', 'prints the fields, or the first error with its position']],

  async run({ hex, genesis }, { signal }) {
    const bytes = await readBytes(hex, signal);
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
  },
});

async function readBytes(hex: string, signal: AbortSignal): Promise<Uint8Array> {
  const text = hex === '-' ? (await readStdin('the hex', MAX_INPUT_BYTES, signal)).toString('latin1') : hex;
  try {
    return fromHex(text.replace(/\s+/g, ''));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the text is not hex');
  }
}
