import { seedFromMnemonic, TEST_MNEMONIC } from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import { u32 } from '../../testkit/crypto/little-endian.js';
import { sha3 } from '../../testkit/crypto/sha3.js';
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
import { offsetIn, REFUSALS } from '../../testkit/repository/specification.js';
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
/** A header with the options of P2. */
const headerWith = (options: number, data: Uint8Array) => {
  const command = apdu(0x06, 0, data);
  command[3] = options;
  return command;
};
const padded = (name: string) => Buffer.concat([Buffer.from(name, 'latin1')], 24);
/** A header with contacts of these names, whose proofs are zeros. */
const withContacts = (options: number, names: string[], tail = '', length = 121) => {
  const contacts = names.flatMap(name => [padded(name), Buffer.alloc(32)]);
  const data = header(0, GENESIS, length, 0, ...contacts, Buffer.from(tail, 'hex'));
  return headerWith(options, data);
};
/** REGISTER_CONTACT; `payload` counts the bytes after the kind, all zero. */
const contact = ({ name = 'Bob', kind = 0, payload = 32 }, p1 = 0) =>
  apdu(0x08, p1, header(GENESIS, padded(name), kind, Buffer.alloc(payload)));
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

const useAnotherSeed = (device: BareDevice) => {
  device.seed = seedFromMnemonic(TEST_MNEMONIC, 'another');
};
const NONCE = Buffer.alloc(32, 0x80);
/** A header of SIGN_MESSAGE with a commitment. */
const withCommitment = (data: Uint8Array) => {
  const command = apdu(0x07, 0, data);
  command[3] = 4;
  return command;
};
/** An approved message whose signature waits for NONCE. */
const approved: Step[] = [
  withCommitment(Buffer.concat([u32(0), u32(4), sha3(NONCE)])),
  apdu(0x07, 1, Buffer.from('abcd')),
  device => {
    device.walk();
    device.press(BOTH);
  },
];

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
  'any: INS is not 03 and not 05 to 08, and the command is not GET_APP_NAME': bytes(
    'e004000000',
    'e009000000',
  ).map(each => [each]),
  'any: the command does not allow this P1 or P2': bytes(
    'e003010000',
    'e003000100',
    'b001010000',
    'e00502000400000000',
    'e006030000',
    'e006000800',
    'e006010100',
    'e006020400',
    'e007030000',
    'e007000100',
    'e007000200',
    'e007010400',
    'e007020100',
    'e008020000',
    'e008000100',
  ).map(each => [each]),
  'GET_APP_NAME, GET_APP_VERSION: there is data': bytes('e00300000100', 'b00100000100').map(each => [each]),
  'GET_PUBLIC_KEY: the data is not 4 bytes': bytes('e005000003000000', 'e0050000050000000000').map(each => [
    each,
  ]),
  'GET_PUBLIC_KEY: the account is 2^31 or more': [[getPublicKey(2 ** 31)]],
  'GET_PUBLIC_KEY: there is no seed': [[lock, getPublicKey(0)]],
  'REGISTER_CONTACT: the data is shorter than 60 bytes': [[apdu(0x08, 0, Buffer.alloc(59))]],
  'REGISTER_CONTACT: the name breaks a [rule](APDU.md#names)': [
    [contact({ name: ' Bob', kind: 99 })],
    [contact({ name: 'zbc_x' }, 1)],
    [contact({ name: '' })],
  ],
  'REGISTER_CONTACT: the kind is 2 or unknown': [
    [contact({ kind: 2, payload: 0 })],
    [contact({ kind: 17 })],
    [contact({ kind: 2 ** 16 }, 1)],
  ],
  'REGISTER_CONTACT: the length is not 60 + n, for a check 60 + n + 32': [
    [refuseUnknown, contact({ payload: 31 })],
    [contact({ kind: 4, payload: 32 })],
    [contact({ payload: 64 })],
    [contact({}, 1)],
    [contact({ payload: 63 }, 1)],
  ],
  'REGISTER_CONTACT: the chain is unknown, and `Unknown chains` is `refused`': [
    [refuseUnknown, lock, contact({})],
    [refuseUnknown, lock, contact({ payload: 64 }, 1)],
  ],
  'REGISTER_CONTACT: there is no seed': [
    [lock, contact({})],
    [lock, contact({ payload: 64 }, 1)],
  ],
  'REGISTER_CONTACT check: the proof is wrong': [
    [contact({ payload: 64 }, 1)],
    [contact({ kind: 4, payload: 52 }, 1)],
  ],
  'SIGN_TX header: the data is neither F bytes nor F + 2 or more, F = 44 + 56 for each contact + 32 for a commitment':
    [
      [apdu(0x06, 0, Buffer.alloc(43))],
      [apdu(0x06, 0, Buffer.alloc(45))],
      [headerWith(1, Buffer.alloc(99))],
      [headerWith(2, Buffer.alloc(101))],
      [headerWith(3, Buffer.alloc(100))],
      [headerWith(4, Buffer.alloc(75))],
      [headerWith(5, Buffer.alloc(133))],
      [headerWith(7, Buffer.alloc(156))],
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
  'SIGN_TX header: the name of a contact breaks a rule, that of the recipient first': [
    [withContacts(1, ['a  b'], '0900')],
    [withContacts(3, ['a ', 'b '])],
    [withContacts(2, ['\x7f'])],
  ],
  'SIGN_TX header: the decimals are neither 0 to 8 nor `ff`': [
    [withContacts(3, ['Bob', 'Eve'], '0900')],
    [txHeader(0, 121, 0, '0900')],
    [txHeader(0, 121, 0, 'fe00')],
  ],
  'SIGN_TX header: the symbol length is above 12': [
    [txHeader(0, 121, 0, `020d${'41'.repeat(13)}`)],
    [txHeader(0, 121, 0, '020d')],
    [withContacts(2, ['Eve'], '020d')],
    [headerWith(4, header(0, GENESIS, 121, 0, Buffer.alloc(32), Buffer.from('020d', 'hex')))],
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
  'SIGN_MESSAGE header: the data is not 8 bytes, with a commitment 40': [
    [apdu(0x07, 0, Buffer.alloc(7))],
    [apdu(0x07, 0, Buffer.alloc(9))],
    [apdu(0x07, 0, Buffer.alloc(40))],
    [withCommitment(Buffer.alloc(8))],
    [withCommitment(Buffer.alloc(41))],
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
    [withContacts(1, ['Bob'], '0200', 4), apdu(0x06, 1, Buffer.alloc(4))],
  ],
  'SIGN_MESSAGE, all bytes: a byte is not text': [
    [messageHeader(0, 4), lock, apdu(0x07, 1, Buffer.from('ab\tc'))],
  ],
  'SIGN_MESSAGE, all bytes: there is no seed': [
    [messageHeader(0, 4), lock, apdu(0x07, 1, Buffer.from('abcd'))],
  ],
  'SIGN_TX REVEAL, SIGN_MESSAGE REVEAL: no approval of this instruction waits for REVEAL on its link and channel':
    [
      [apdu(0x06, 2, Buffer.alloc(32))],
      [messageHeader(0, 4), apdu(0x07, 2)],
      [...approved, apdu(0x06, 2)],
      [...approved, apdu(0x07, 2, NONCE), apdu(0x07, 2, NONCE)],
    ],
  'SIGN_TX REVEAL, SIGN_MESSAGE REVEAL: the data is not 32 bytes': [
    [...approved, lock, apdu(0x07, 2, NONCE.subarray(1))],
    [...approved, lock, apdu(0x07, 2, Buffer.concat([NONCE, NONCE]))],
  ],
  'SIGN_TX REVEAL, SIGN_MESSAGE REVEAL: there is no seed, or another than when the review opened': [
    [...approved, lock, apdu(0x07, 2, Buffer.alloc(32))],
    [...approved, useAnotherSeed, apdu(0x07, 2, Buffer.alloc(32))],
  ],
  'SIGN_TX REVEAL, SIGN_MESSAGE REVEAL: the data is not that of the commitment': [
    [...approved, apdu(0x07, 2, Buffer.alloc(32))],
    [...approved, apdu(0x07, 2, Buffer.from(NONCE).fill(0x81, 31))],
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
    const last = steps.at(-1) as Uint8Array;
    const sent = steps.find(step => typeof step !== 'function') as Uint8Array;
    const from = commands[0] === 'SIGN_TX header' ? offsetIn('F + 1', sent, last)! + 1 : 0;
    const isWrong = (byte: number, i: number) => i >= from && (byte <= 0x20 || byte > 0x7e);
    const at = offsetIn(offset, sent, last) ?? last.subarray(5).findIndex(isWrong);
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
