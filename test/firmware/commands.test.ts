import { Emulator } from '@zbc-signer/emulator';
import { u32 } from '../../testkit/crypto/little-endian.js';
import {
  apdu,
  GET_APP_VERSION,
  getPublicKey,
  type Reply,
  send,
  signMessage,
  signTransaction,
  splitReply,
} from '../../testkit/device/apdu.js';
import { BareDevice } from '../../testkit/device/bare-device.js';
import { REFUSALS } from '../../testkit/repository/specification.js';
import { transactions } from '../../testkit/repository/vectors.js';

const VERSION_REPLY =
  '01010000' + '00' + '00080000' + '00010000' + '00020000' + '03' + '01000000040000000b000000';
const plainSend = transactions.cases[0]!;

let emulator: Emulator;
beforeEach(async () => {
  emulator = await Emulator.start();
});
afterEach(() => emulator.stop());

const exchange = (bytes: Uint8Array) => emulator.exchange(bytes);
const raw = async (hex: string): Promise<string> =>
  Buffer.from(await exchange(Buffer.from(hex, 'hex'))).toString('hex');

function expectReply(reply: Reply, status: string, data = ''): void {
  expect({ status: reply.status, data: reply.data.toString('hex') }).toEqual({ status, data });
}

describe('GET_APP_VERSION', () => {
  test('gives the versions, the size limits and the transaction types', async () => {
    expect(await raw('e003000000')).toBe(`${VERSION_REPLY}9000`);
  });

  test('reports a device without a seed as locked', async () => {
    const locked = await Emulator.start({ seed: null });
    const reply = splitReply(await locked.exchange(GET_APP_VERSION));
    expect(reply.data[4]).toBe(2);
    locked.stop();
  });
});

test("the command of existing host tools for the app's name finds the app", async () => {
  expect(await raw('b001000000')).toBe('010a5a4243205369676e657205312e302e3001009000');
});

const header = (...parts: (number | Uint8Array)[]) =>
  Buffer.concat(parts.map(part => (typeof part === 'number' ? u32(part) : part)));
const GENESIS = Buffer.alloc(32, 0x5a);
const txHeader = (account: number, length: number, linked: number, tail = '') =>
  apdu(0x06, 0, header(account, GENESIS, length, linked, Buffer.from(tail, 'hex')));
const messageHeader = (account: number, length: number) => apdu(0x07, 0, header(account, length));
const upload = (ins: number, ...chunks: Uint8Array[]) => [
  ins === 6 ? txHeader(0, 4, 0) : messageHeader(0, 4),
  ...chunks.map(chunk => apdu(ins, 1, chunk)),
];
const bytes = (...commands: string[]) => commands.map(command => Buffer.from(command, 'hex'));
const [BOTH, RIGHT] = [3, 2];
const refuseUnknown = (device: BareDevice) => {
  for (const button of [RIGHT, BOTH, BOTH]) device.press(button);
};
const lock = (device: BareDevice) => {
  device.seed = undefined;
};

type Step = Uint8Array | ((device: BareDevice) => void);

/** Sequences of commands whose last is refused by the given row of docs/SPECIFICATION.md#refusals. */
const REFUSED: Record<string, Step[][]> = {
  'any: a review is open': [[getPublicKey(0, true), GET_APP_VERSION]],
  'any: fewer than 5 bytes, or `Lc` is not the number of bytes after it': bytes(
    '',
    'e0030000',
    'e003000001',
    'e00300000000',
  ).map(each => [each]),
  // Ragger's --get-stack-consumption expects exactly 6E00 for the last command from an app that does not
  // measure its stack.
  'any: CLA is not `e0`, and the command is not GET_APP_NAME': bytes(
    'e103000000',
    '00ff000000',
    'b003000000',
    'b057000100',
  ).map(each => [each]),
  'any: INS is not 03, 05, 06 or 07, and the command is not GET_APP_NAME': bytes(
    'e004000000',
    'e001000000',
  ).map(each => [each]),
  'any: the command does not allow this P1 or P2': bytes(
    'e003010000',
    'e003000100',
    'b001010000',
    'e00502000400000000',
    'e006020000',
    'e007020000',
  ).map(each => [each]),
  'GET_APP_NAME, GET_APP_VERSION: there is data': bytes('e00300000100', 'b00100000100').map(each => [each]),
  'GET_PUBLIC_KEY: the data is not 4 bytes': bytes('e005000003000000', 'e0050000050000000000').map(each => [
    each,
  ]),
  'GET_PUBLIC_KEY: the account is 2^31 or more': [[getPublicKey(2 ** 31)]],
  'GET_PUBLIC_KEY: there is no seed': [[lock, getPublicKey(0)]],
  'SIGN_TX header: the data is neither 44 bytes nor 46 or more': [
    [apdu(0x06, 0, Buffer.alloc(43))],
    [apdu(0x06, 0, Buffer.alloc(45))],
  ],
  'SIGN_TX header: the account is 2^31 or more': [[txHeader(2 ** 31, 113, 0)]],
  'SIGN_TX header: the transaction length is 0': [[txHeader(0, 0, 0)]],
  'SIGN_TX header: the transaction length is above 2048': [
    [txHeader(0, 2049, 0)],
    [txHeader(0, 2 ** 32 - 1, 0)],
  ],
  'SIGN_TX header: the length of the linked transaction and its signature is above 2112': [
    [txHeader(0, 109, 2113)],
    [txHeader(0, 109, 2 ** 32 - 1)],
  ],
  'SIGN_TX header: the decimals are neither 0 to 8 nor `ff`': [
    [txHeader(0, 121, 0, '0900')],
    [txHeader(0, 121, 0, 'fe00')],
  ],
  'SIGN_TX header: the symbol length is above 12': [
    [txHeader(0, 121, 0, `020d${'41'.repeat(13)}`)],
    [txHeader(0, 121, 0, '020d')],
  ],
  'SIGN_TX header: the symbol length is not the number of bytes after it': [
    [txHeader(0, 121, 0, '02034142')],
    [txHeader(0, 121, 0, '02014142')],
  ],
  'SIGN_TX header: the symbol has a character outside 21 to 7e': [
    [txHeader(0, 121, 0, '0203412042')],
    [txHeader(0, 121, 0, '020341427f')],
    ...Array.from({ length: 12 }, (_, at) => [
      txHeader(
        0,
        121,
        0,
        `020c${Buffer.alloc(12, 'A')
          .fill(0x80, at, at + 1)
          .toString('hex')}`,
      ),
    ]),
  ],
  'SIGN_TX header: the chain is unknown, and `Unknown chains` is `refused`': [
    [refuseUnknown, lock, txHeader(0, 113, 0)],
  ],
  'SIGN_TX header: there is no seed': [[lock, txHeader(0, 113, 0)]],
  'SIGN_MESSAGE header: the data is not 8 bytes': [
    [apdu(0x07, 0, Buffer.alloc(7))],
    [apdu(0x07, 0, Buffer.alloc(9))],
  ],
  'SIGN_MESSAGE header: the account is 2^31 or more': [[messageHeader(2 ** 31, 0)]],
  'SIGN_MESSAGE header: the message length is above 2048': [[messageHeader(0, 2049)]],
  'SIGN_MESSAGE header: the message length is 0 or 32': [[messageHeader(0, 0)], [messageHeader(0, 32)]],
  'SIGN_MESSAGE header: there is no seed': [[lock, messageHeader(0, 4)]],
  'SIGN_TX chunk, SIGN_MESSAGE chunk: no header of this command precedes the chunk on its link and channel': [
    bytes('e00601000100'),
    bytes('e00701000100'),
    [messageHeader(0, 4), apdu(0x06, 1)],
  ],
  'SIGN_TX chunk, SIGN_MESSAGE chunk: the chunk is empty': [
    upload(6, Buffer.alloc(0)),
    upload(7, Buffer.alloc(0)),
  ],
  'SIGN_TX chunk: more bytes in all than the header declared': [
    upload(6, Buffer.alloc(5)),
    upload(6, Buffer.alloc(3), Buffer.alloc(2)),
  ],
  'SIGN_MESSAGE chunk: more bytes in all than the header declared': [upload(7, Buffer.alloc(5))],
  'SIGN_TX, all bytes: the chain is unknown, and `Unknown chains` is `refused`': [
    [txHeader(0, 4, 0), refuseUnknown, lock, apdu(0x06, 1, Buffer.alloc(4))],
  ],
  'SIGN_TX, all bytes: there is no seed': [[txHeader(0, 4, 0, '0200'), lock, apdu(0x06, 1, Buffer.alloc(4))]],
  'SIGN_TX, all bytes: there is a token tail, and the type is not TransferToken': [
    [txHeader(0, 4, 0, '0200'), apdu(0x06, 1, Buffer.alloc(4))],
  ],
  'SIGN_MESSAGE, all bytes: a byte is not text': [
    [messageHeader(0, 4), lock, apdu(0x07, 1, Buffer.from('ab\tc'))],
  ],
  'SIGN_MESSAGE, all bytes: there is no seed': [
    [messageHeader(0, 4), lock, apdu(0x07, 1, Buffer.from('abcd'))],
  ],
};

const nameOf = ({ commands, when }: (typeof REFUSALS)[number]) => `${commands.join(', ')}: ${when}`;

describe('the refusals of commands in the specification', () => {
  const cases = REFUSALS.flatMap(row => {
    const name = nameOf(row);
    return (REFUSED[name] ?? []).map((steps, i) => [`${name} (${i})`, steps, row] as const);
  });

  test.each(cases)('%s', async (_name, steps, { commands, status, reason, offset }) => {
    const device = await BareDevice.start();
    const replies = steps.map(step => (typeof step === 'function' ? step(device) : device.command(step)));
    const from = commands[0] === 'SIGN_TX header' ? 46 : 0;
    const isWrong = (byte: number, i: number) => i >= from && (byte <= 0x20 || byte > 0x7e);
    const at =
      offset === 'that of the first such byte'
        ? (steps.at(-1) as Uint8Array).subarray(5).findIndex(isWrong)
        : Number(offset);
    const details = reason === undefined ? '' : Buffer.of(0, at, 0, reason).toString('hex');
    expect(replies.at(-1)).toBe(details + status);
  });

  test('each have a case in this file', () => {
    expect(Object.keys(REFUSED)).toEqual(REFUSALS.map(nameOf));
  });
});

describe('an upload', () => {
  const [header, ...chunks] = signMessage(0, Buffer.from('x'.repeat(600)));

  test('is dropped by another command', async () => {
    await send(exchange, [header!, chunks[0]!]);
    expectReply(splitReply(await exchange(GET_APP_VERSION)), '9000', VERSION_REPLY);
    expectReply(splitReply(await exchange(chunks[1]!)), '6902');
  });

  test('is dropped by a chunk of another command', async () => {
    await send(exchange, [header!, chunks[0]!]);
    expectReply(splitReply(await exchange(apdu(0x06, 1, Buffer.of(0)))), '6902');
    expectReply(splitReply(await exchange(chunks[1]!)), '6902');
  });

  test('is dropped by bytes that are not a command', async () => {
    await send(exchange, [header!, chunks[0]!]);
    expect(await raw('ff')).toBe('6700');
    expectReply(splitReply(await exchange(chunks[1]!)), '6902');
  });

  test('is dropped by a chunk without bytes', async () => {
    await send(exchange, [header!, chunks[0]!]);
    expectReply(splitReply(await exchange(apdu(0x07, 1))), '6700');
    expectReply(splitReply(await exchange(chunks[1]!)), '6902');
  });

  test('of more bytes than were declared is refused and dropped', async () => {
    await send(exchange, [header!, chunks[0]!, chunks[1]!]);
    expectReply(splitReply(await exchange(apdu(0x07, 1, Buffer.alloc(91)))), '6A80', '00040009');
    expectReply(splitReply(await exchange(chunks[1]!)), '6902');
  });

  test('is not begun by a refused header, not even after a completed upload', async () => {
    const done = send(exchange, signMessage(0, Buffer.from('short')));
    await emulator.reject();
    await done;
    const refused = splitReply(await exchange(apdu(0x07, 0, Buffer.alloc(8))));
    expectReply(refused, '6A80', '00040024');
    expectReply(splitReply(await exchange(apdu(0x07, 1, Buffer.from('shor')))), '6902');
  });

  test('of the largest size is stored whole and overwrites nothing else', async () => {
    const request = { ...plainSend, tx: '01'.repeat(2048), linked: '01'.repeat(2112) };
    expectReply(await send(exchange, signTransaction({ ...request, token: {} })), '6A80', '002c0008');
    expectReply(await send(exchange, signTransaction(request)), 'B102', '0100000d');
    expectReply(splitReply(await exchange(GET_APP_VERSION)), '9000', VERSION_REPLY);
  });

  test('of the largest size stays in its own buffer until its last byte', async () => {
    const device = await BareDevice.start();
    const bytes = Buffer.from(Array.from({ length: 2048 + 2112 }, (_, at) => (at * 167 + (at >> 8)) & 0xff));
    const [tx, linked] = [bytes.toString('hex', 0, 2048), bytes.toString('hex', 2048)];
    const chunks = signTransaction({ ...plainSend, tx, linked });
    const last = chunks.pop()!;
    expect(device.send(chunks)).toBe('9000');
    const taken = bytes.subarray(0, bytes.length - (last.length - 5));
    expect(Buffer.from(device.memory).includes(taken)).toBe(true);
  });

  test('is dropped when its host disconnects', async () => {
    const device = await BareDevice.start();
    expect(device.send([header!, chunks[0]!])).toBe('9000');
    device.app.cancel();
    expect(device.command(chunks[1]!)).toBe('6902');
  });

  test('starts again with another header', async () => {
    await send(exchange, [header!, chunks[0]!]);
    const done = send(exchange, signMessage(0, Buffer.from('short')));
    await emulator.approve();
    expect((await done).status).toBe('9000');
  });

  test('may be sent in chunks of any size', async () => {
    const bytes = Buffer.from(plainSend.tx, 'hex');
    const apdus = [signTransaction(plainSend)[0]!, ...[...bytes].map(byte => apdu(0x06, 1, Buffer.of(byte)))];
    const done = send(exchange, apdus);
    await emulator.approve();
    expectReply(await done, '9000', plainSend.expect.signature + plainSend.expect.tx_hash);
  });
});

describe('during a review', () => {
  test.each([
    ['a version request', GET_APP_VERSION],
    ['a key request', getPublicKey(0)],
    ['the header of a new upload', signTransaction(plainSend)[0]!],
    ['a chunk', apdu(0x06, 1, Buffer.of(1))],
    ['garbage', Buffer.of(1, 2, 3)],
  ])('%s is answered BUSY and the screen does not change', async (_what, command) => {
    const done = send(exchange, signTransaction(plainSend));
    await emulator.waitForReview();
    emulator.press('right');
    const screen = emulator.frame();
    expectReply(splitReply(await exchange(command)), '6901');
    expect(emulator.frame()).toEqual(screen);
    await emulator.approve();
    expectReply(await done, '9000', plainSend.expect.signature + plainSend.expect.tx_hash);
  });

  test('a host that disconnects ends the review, and the menu is shown', async () => {
    const gone = new AbortController();
    const apdus = signTransaction(plainSend);
    await send(exchange, apdus.slice(0, -1));
    const done = emulator.exchange(apdus.at(-1)!, gone.signal);
    await emulator.waitForReview();
    gone.abort();
    await expect(done).rejects.toThrow();
    expect(emulator.texts()).toEqual(['ZBC Signer', 'is ready']);
    expectReply(splitReply(await exchange(GET_APP_VERSION)), '9000', VERSION_REPLY);
  });

  test('a rejection is answered only with its status word, and the same bytes can be sent again', async () => {
    const done = send(exchange, signTransaction(plainSend));
    await emulator.reject();
    expectReply(await done, '6985');
    const again = send(exchange, signTransaction(plainSend));
    await emulator.approve();
    expectReply(await again, '9000', plainSend.expect.signature + plainSend.expect.tx_hash);
  });
});

describe('a locked device', () => {
  let locked: Emulator;
  beforeAll(async () => {
    locked = await Emulator.start({ seed: null });
  });
  afterAll(() => locked.stop());

  test('checks a header before it looks for the seed', async () => {
    expectReply(splitReply(await locked.exchange(apdu(0x06, 0, Buffer.alloc(43)))), '6A80', '00000001');
  });
});
