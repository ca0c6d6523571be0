import { defineCommand } from '../command.js';
import { UsageError } from '../errors.js';
import { JSON_OPTION } from '../options.js';

const MAX_INPUT_BYTES = 65_536;

export const tx = defineCommand({
  usage: 'tx <action> <hex>',
  summary: 'Decode unsigned transaction bytes, offline',
  configure: yargs =>
    yargs
      .positional('action', { choices: ['decode'] as const, demandOption: true, describe: 'what to do' })
      .positional('hex', {
        type: 'string',
        demandOption: true,
        describe: 'the bytes in hex; - reads them from stdin',
      })
      .options({
        genesis: {
          type: 'string',
          requiresArg: true,
          describe: 'genesis hash, to compute the signing digest',
        },
        ...JSON_OPTION,
      })
      .example('$0 tx decode 0100000001…', 'the fields, or the place and reason of the first fault'),
  run: async ({ hex, genesis }) => {
    const [
      { decodeTransaction, signingDigest, toHex },
      { transactionJson, transactionRows },
      { formatTable },
    ] = await Promise.all([
      import('../../../../chain/src/index.js'),
      import('../transaction-view.js'),
      import('../table.js'),
    ]);
    const bytes = await readBytes(hex);
    const transaction = decodeTransaction(bytes);
    const digest =
      genesis === undefined ? undefined : toHex(signingDigest(await parseGenesis(genesis), bytes));
    return {
      json: { ...transactionJson(transaction), size: bytes.length, ...(digest !== undefined && { digest }) },
      text: formatTable([
        ...transactionRows(transaction),
        ['Size', `${bytes.length} bytes`],
        ...(digest === undefined ? [] : [['Signing digest', digest] as const]),
      ]),
    };
  },
});

async function parseGenesis(genesis: string): Promise<Uint8Array> {
  const { parseHash } = await import('../values.js');
  return parseHash('--genesis', genesis);
}

async function readBytes(hex: string): Promise<Uint8Array> {
  const [{ fromHex }, { readInput }] = await Promise.all([
    import('../../../../chain/src/index.js'),
    import('../input.js'),
  ]);
  const text = hex === '-' ? (await readInput('the hex', MAX_INPUT_BYTES)).toString('latin1') : hex;
  try {
    return fromHex(text.replace(/\s+/g, ''));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'not hexadecimal');
  }
}
