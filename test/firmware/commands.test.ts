import { Emulator } from '@zbc-signer/emulator';
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
  test('gives versions, caps and types', async () => {
    expect(await raw('e003000000')).toBe(`${VERSION_REPLY}9000`);
  });

  test('says that a device without a seed is locked', async () => {
    const locked = await Emulator.start({ seed: null });
    const reply = splitReply(await locked.exchange(GET_APP_VERSION));
    expect(reply.data[4]).toBe(2);
    locked.stop();
  });
});

test('the ecosystem finds the app by its name', async () => {
  expect(await raw('b001000000')).toBe('010a5a4243205369676e657205312e302e3001009000');
});

describe('a command is checked by', () => {
  test.each([
    ['no bytes', '', '6700'],
    ['four bytes, no Lc', 'e0030000', '6700'],
    ['Lc above the bytes', 'e003000001', '6700'],
    ['Lc below the bytes', 'e00300000000', '6700'],
    ['an unknown class', 'e103000000', '6e00'],
    ['an unknown class before its instruction', '00ff000000', '6e00'],
    ['an unknown instruction', 'e004000000', '6d00'],
    ["the ecosystem's instruction in our class", 'e001000000', '6d00'],
    ["our instruction in the ecosystem's class", 'b003000000', '6e00'],
    // Ragger's --get-stack-consumption takes 6E00, and nothing else, for an app that does not measure it.
    ['the use of the stack, which only debug builds of other apps report', 'b057000100', '6e00'],
    ['P1 of GET_APP_VERSION', 'e003010000', '6a86'],
    ['P2', 'e003000100', '6a86'],
    ['P1 of GET_PUBLIC_KEY', 'e00502000400000000', '6a86'],
    ['P1 of SIGN_TX', 'e006020000', '6a86'],
    ['data where none is taken', 'e00300000100', '6700'],
    ['data after the app name', 'b00100000100', '6700'],
    ['three bytes of account', 'e005000003000000', '6700'],
    ['five bytes of account', 'e0050000050000000000', '6700'],
    ['an account that cannot be hardened', 'e00500000400000080', '6a80'],
    ['a chunk of SIGN_TX without a header', 'e00601000100', '6902'],
    ['a chunk of SIGN_MESSAGE without a header', 'e00701000100', '6902'],
  ])('%s', async (_what, command, status) => {
    expect(await raw(command)).toBe(status);
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

  test('is dropped by bytes that are no command', async () => {
    await send(exchange, [header!, chunks[0]!]);
    expect(await raw('ff')).toBe('6700');
    expectReply(splitReply(await exchange(chunks[1]!)), '6902');
  });

  test('is dropped by a chunk without bytes', async () => {
    await send(exchange, [header!, chunks[0]!]);
    expectReply(splitReply(await exchange(apdu(0x07, 1))), '6700');
    expectReply(splitReply(await exchange(chunks[1]!)), '6902');
  });

  test('of more than was declared is refused and dropped', async () => {
    await send(exchange, [header!, chunks[0]!, chunks[1]!]);
    expectReply(splitReply(await exchange(apdu(0x07, 1, Buffer.alloc(91)))), '6A80', '00040009');
    expectReply(splitReply(await exchange(chunks[1]!)), '6902');
  });

  test('is not begun by a refused header, in any state', async () => {
    const done = send(exchange, signMessage(0, Buffer.from('short')));
    await emulator.reject();
    await done;
    const refused = splitReply(await exchange(apdu(0x07, 0, Buffer.alloc(8))));
    expectReply(refused, '6A80', '00040024');
    expectReply(splitReply(await exchange(apdu(0x07, 1, Buffer.from('shor')))), '6902');
  });

  test('of the largest size is taken whole and touches nothing else', async () => {
    const request = { ...plainSend, tx: '01'.repeat(2048), linked: '01'.repeat(2112) };
    expectReply(await send(exchange, signTransaction({ ...request, token: {} })), '6A80', '002c0008');
    expectReply(await send(exchange, signTransaction(request)), 'B102', '0100000d');
    expectReply(splitReply(await exchange(GET_APP_VERSION)), '9000', VERSION_REPLY);
  });

  test('of the largest size lies in a buffer of its own until its last byte', async () => {
    const device = await BareDevice.start();
    const bytes = Buffer.from(Array.from({ length: 2048 + 2112 }, (_, at) => (at * 167 + (at >> 8)) & 0xff));
    const [tx, linked] = [bytes.toString('hex', 0, 2048), bytes.toString('hex', 2048)];
    const chunks = signTransaction({ ...plainSend, tx, linked });
    const last = chunks.pop()!;
    expect(device.send(chunks)).toBe('9000');
    const taken = bytes.subarray(0, bytes.length - (last.length - 5));
    expect(Buffer.from(device.memory).includes(taken)).toBe(true);
  });

  test('is dropped when its host goes away', async () => {
    const device = await BareDevice.start();
    expect(device.send([header!, chunks[0]!])).toBe('9000');
    device.app.cancel();
    expect(device.command(chunks[1]!)).toBe('6902');
  });

  test('begins anew with another header', async () => {
    await send(exchange, [header!, chunks[0]!]);
    const done = send(exchange, signMessage(0, Buffer.from('short')));
    await emulator.approve();
    expect((await done).status).toBe('9000');
  });

  test('may come in chunks of any size', async () => {
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
    ['a new header', signTransaction(plainSend)[0]!],
    ['a chunk', apdu(0x06, 1, Buffer.of(1))],
    ['garbage', Buffer.of(1, 2, 3)],
  ])('%s is answered BUSY and the screen stays', async (_what, command) => {
    const done = send(exchange, signTransaction(plainSend));
    await emulator.waitForReview();
    emulator.press('right');
    const screen = emulator.frame();
    expectReply(splitReply(await exchange(command)), '6901');
    expect(emulator.frame()).toEqual(screen);
    await emulator.approve();
    expectReply(await done, '9000', plainSend.expect.signature + plainSend.expect.tx_hash);
  });

  test('losing the host drops it and shows the menu', async () => {
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

  test('a rejection is answered with its status word alone, and the same bytes can be sent again', async () => {
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

  test.each([
    ['GET_PUBLIC_KEY', getPublicKey(0)],
    ['SIGN_TX', signTransaction(plainSend)[0]!],
    ['SIGN_MESSAGE', signMessage(0, Buffer.from('hello'))[0]!],
  ])('answers LOCKED to %s', async (_name, command) => {
    expectReply(splitReply(await locked.exchange(command)), '5515');
    expect(locked.texts()).toEqual(['ZBC Signer', 'is locked']);
  });

  test('checks a header before it looks for the seed', async () => {
    expectReply(splitReply(await locked.exchange(apdu(0x06, 0, Buffer.alloc(43)))), '6A80', '00000001');
  });
});
