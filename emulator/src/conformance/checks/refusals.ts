import {
  GET_APP_VERSION,
  getPublicKey,
  messageChunk,
  messageUpload,
  transactionUpload,
} from '../../commands.js';
import type { CheckGroup } from '../bench.js';
import type { Cases } from '../cases.js';

const RANDOM_COMMANDS = 250;
const SEED = 0x5eed;

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

/** Returns the header of an upload in hex. */
const headerOf = ([header]: readonly Uint8Array[]) => Buffer.from(header!).toString('hex');
const messageHeader = (account: number, length: number) =>
  headerOf(messageUpload(account, new Uint8Array(length)));
const txHeader = (fields: Partial<Parameters<typeof transactionUpload>[0]>) =>
  headerOf(
    transactionUpload({
      account: 0,
      genesis: new Uint8Array(32),
      transaction: new Uint8Array(4),
      linked: new Uint8Array(0),
      ...fields,
    }),
  );
/** A header whose last character is missing. */
const SHORT_SYMBOL = `e00600002f${txHeader({ token: { symbol: 'AB' } }).slice(10, -2)}`;

/** Commands that are invalid in their framing, header or order (docs/SPECIFICATION.md#refusals). */
const WRONG: readonly (readonly [name: string, ...commands: string[]])[] = [
  ['a command of four bytes', 'e0030000'],
  ['a length that differs from that of the data', 'e00500000400000000ff'],
  ['an unknown class', '0003000000'],
  ['an unknown instruction', 'e004000000'],
  ['an unknown P1', 'e003010000'],
  ['an unknown P2', 'e003000100'],
  ['data of a wrong length', 'e005000003000000', 'e00300000100'],
  ['an account index out of range', 'e00500000400000080'],
  ['a chunk without a header', 'e00601000100'],
  ['a header without its fields', 'e006000000', 'e007000000'],
  [
    'a header with a wrong field',
    txHeader({ account: 2 ** 31 }),
    txHeader({ transaction: new Uint8Array(0) }),
    txHeader({ transaction: new Uint8Array(2049) }),
    txHeader({ linked: new Uint8Array(2113) }),
    txHeader({ token: { decimals: 9 } }),
    txHeader({ token: { symbol: 'A'.repeat(13) } }),
    txHeader({ token: { symbol: 'A B' } }),
    SHORT_SYMBOL,
    messageHeader(2 ** 31, 4),
    messageHeader(0, 2049),
    messageHeader(0, 32),
  ],
  ['an empty chunk', 'e0070000080000000004000000', 'e007010000', 'e00701000474657874'],
  [
    'more bytes than declared',
    'e0070000080000000004000000',
    'e0070100057465787431',
    txHeader({}),
    'e0060100050000000000',
  ],
  ['a chunk of the other command', 'e0070000080000000004000000', 'e00601000474657874'],
];

/** Checks of refusals and their status words. */
export function refusalChecks({ refusals, messages }: Cases): CheckGroup[] {
  const [header, ...chunks] = messages[0]!.commands as [Uint8Array, ...Uint8Array[]];
  return [
    {
      name: 'refusals',
      checks: refusals.map(({ name, commands }) => ({ name, run: bench => bench.sendAnswered(commands) })),
    },
    {
      name: 'commands',
      checks: [
        ...WRONG.map(([name, ...commands]) => ({
          name,
          run: (bench: Parameters<CheckGroup['checks'][number]['run']>[0]) =>
            bench.sendAnswered(commands.map(bytes)),
        })),
        {
          name: 'another command drops an upload',
          run: bench => bench.sendAnswered([header, GET_APP_VERSION, ...chunks]),
        },
        {
          name: 'a header replaces an upload',
          run: async bench => {
            const text = Buffer.from('chunk by chunk, a byte at a time');
            await bench.sendAnswered([header]);
            await bench.decide(await bench.open(messageUpload(0, text.subarray(1), 1)), 'approve');
          },
        },
        {
          name: 'a message of 2048 bytes in chunks of 255',
          run: async bench => {
            const review = await bench.open(messageUpload(0, Buffer.alloc(2048, 'lorem ipsum ')));
            await bench.begin();
            await review.reply.catch(() => undefined);
            await bench.sendAnswered([messageChunk(bytes('20'))]);
          },
        },
        {
          name: `${RANDOM_COMMANDS} random commands`,
          run: async bench => {
            for (const command of randomCommands()) {
              if (await bench.send([command])) await bench.begin();
            }
            await bench.sendAnswered([getPublicKey(0)]);
          },
        },
      ],
    },
  ];
}

/** Random commands, of which most resemble real commands. They are the same in each run. */
function* randomCommands(): Generator<Uint8Array> {
  let state = SEED;
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
  for (let index = 0; index < RANDOM_COMMANDS; index++) {
    const data = Uint8Array.from({ length: random(60) }, () => random(256));
    const length = random(8) === 0 ? random(256) : data.length;
    yield Buffer.from([
      random(8) === 0 ? random(256) : 0xe0,
      random(9),
      random(3),
      random(8) === 0 ? 1 : 0,
      length,
      ...data,
    ]);
  }
}
