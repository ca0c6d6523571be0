import { derivePrivateKey, seedFromMnemonic, TEST_MNEMONIC } from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import {
  GET_APP_VERSION,
  getPublicKey,
  send,
  signMessage,
  signTransaction,
} from '../../testkit/device/apdu.js';
import { antiExfil, contacts, transactions } from '../../testkit/repository/vectors.js';

const WINDOW = 8;
const seed = seedFromMnemonic(TEST_MNEMONIC);
const secrets = [seed, derivePrivateKey(seed, 0)];
const RealInstance = WebAssembly.Instance;

let emulator: Emulator;
let memory: WebAssembly.Memory;

beforeEach(async () => {
  class WatchedInstance extends RealInstance {
    constructor(...args: ConstructorParameters<typeof RealInstance>) {
      super(...args);
      memory = this.exports.memory as WebAssembly.Memory;
    }
  }
  Object.assign(WebAssembly, { Instance: WatchedInstance });
  emulator = await Emulator.start();
});

afterEach(() => {
  emulator.stop();
  Object.assign(WebAssembly, { Instance: RealInstance });
});

/** The number of eight-byte sequences of the seed and of account 0's key in the firmware's memory. */
function countResidue(): number {
  const bytes = Buffer.from(memory.buffer);
  return secrets
    .flatMap(secret =>
      Array.from({ length: secret.length - WINDOW + 1 }, (_, at) => secret.subarray(at, at + WINDOW)),
    )
    .filter(window => bytes.includes(Buffer.from(window))).length;
}

/** The commands of the first steps of a case. */
const commandsOf = (name: string, count: number) =>
  contacts.cases
    .find(each => each.name === name)!
    .steps.slice(0, count)
    .map(({ command }) => Buffer.from(command, 'hex'));

const exchange = (bytes: Uint8Array) => emulator.exchange(bytes);

test('seed and key in memory are found by the search of this test', () => {
  new Uint8Array(memory.buffer).set(secrets[0]!, 30_000);
  expect(countResidue()).toBe(57);
  new Uint8Array(memory.buffer).set(secrets[1]!, 40_000);
  expect(countResidue()).toBe(57 + 25);
});

test.each([
  ['the version', [GET_APP_VERSION]],
  ['an address', [getPublicKey(0)]],
  ['the check of a contact', commandsOf('check a contact: right, and wrong in each part', 1)],
])('seed and key are nowhere in memory after the command for %s', async (_what, apdus) => {
  expect((await send(exchange, apdus)).status).toBe('9000');
  expect(countResidue()).toBe(0);
});

const committedOf = (name: string) =>
  antiExfil.cases.find(each => each.name === name)!.steps.map(({ command }) => Buffer.from(command, 'hex'));

test.each(['send', 'message', 'another n'])(
  'seed and key are nowhere in memory while an approval waits for REVEAL, and after it: %s',
  async name => {
    const commands = committedOf(name);
    const done = send(exchange, commands.slice(0, 2));
    await emulator.approve();
    expect((await done).data).toHaveLength(32);
    expect(countResidue()).toBe(0);
    for (const command of commands.slice(2)) await exchange(command);
    expect(countResidue()).toBe(0);
  },
);

test.each([
  ['a transaction', signTransaction(transactions.cases[0]!)],
  ['a message', signMessage(0, Buffer.from('hello'))],
  ['an address', [getPublicKey(0, true)]],
  ['a contact', commandsOf('register a ZBC account', 1)],
  ['a transaction with contacts', commandsOf('send with escrow, both contacts', 2)],
])(
  'seed and key are nowhere in memory while %s is reviewed and after it was approved',
  async (_what, apdus) => {
    const done = send(exchange, apdus);
    await emulator.waitForReview();
    expect(countResidue()).toBe(0);
    await emulator.approve();
    expect((await done).status).toBe('9000');
    expect(countResidue()).toBe(0);
  },
);
