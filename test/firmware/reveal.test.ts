// The state of the signer between an approval with a commitment and REVEAL (docs/SPECIFICATION.md#states).
import { compileWithoutVerification } from '../../testkit/device/altered-firmware.js';
import {
  apdu,
  GET_APP_VERSION,
  getPublicKey,
  signMessage,
  signTransaction,
} from '../../testkit/device/apdu.js';
import { BareDevice } from '../../testkit/device/bare-device.js';
import { framed, unframed } from '../../testkit/device/reports.js';
import { antiExfil, contacts, transactions } from '../../testkit/repository/vectors.js';

const [LEFT, RIGHT, BOTH] = [1, 2, 3];
const [OWN, OTHER] = [0x0101, 0x0202];

interface Session {
  commands: Buffer[];
  point: string;
  reveal: Buffer;
  signed: string;
}

/** A case that ends with a signature. */
function sessionOf(name: string): Session {
  const { steps } = antiExfil.cases.find(each => each.name === name)!;
  const bytes = steps.map(({ command }) => Buffer.from(command, 'hex'));
  const [point, signed] = steps.slice(-2).map(({ reply }) => reply) as [string, string];
  return { commands: bytes.slice(0, -1), point, reveal: bytes.at(-1)!, signed };
}

const [transaction, message] = ['send', 'message'].map(sessionOf) as [Session, Session];
const SESSIONS = { transaction, message };
const session = transaction;
const BAD_STATE = '6902';

let device: BareDevice;
beforeEach(async () => {
  device = await BareDevice.start();
});

function approve({ commands, point }: Session): void {
  expect(device.send(commands)).toBe('');
  device.walk();
  expect(device.press(BOTH)).toBe(point);
}

/** Sends a command in reports on a channel. Returns the reply in hex, or an empty text while the user decides. */
function ask(bytes: Uint8Array, channel: number, link = 0): string {
  const at = device.app.report_buffer();
  let replied = 0;
  for (const report of framed(channel, bytes)) {
    device.memory.set(report, at);
    replied = device.app.report(link);
  }
  return replied === 0 ? '' : readReply(channel);
}

function readReply(channel: number): string {
  const reports: Uint8Array[] = [];
  const at = device.app.report_buffer();
  while (device.app.reply_report() !== 0) reports.push(device.memory.slice(at, at + 64));
  return unframed(channel, reports)!.toString('hex');
}

function approveOn(channel: number, { commands, point }: Session): void {
  for (const command of commands.slice(0, -1)) expect(ask(command, channel)).toBe('9000');
  expect(ask(commands.at(-1)!, channel)).toBe('');
  device.walk();
  device.press(BOTH);
  expect(readReply(channel)).toBe(point);
}

describe.each(Object.entries(SESSIONS))('after the approval of a %s', (_name, each) => {
  test('the menu is at its first page, and REVEAL gives the signature once', () => {
    approve(each);
    expect(device.texts).toEqual(['ZBC Signer', 'is ready']);
    expect(device.command(each.reveal)).toBe(each.signed);
    expect(device.texts).toEqual(['ZBC Signer', 'is ready']);
    expect(device.command(each.reveal)).toBe(BAD_STATE);
  });

  test('presses walk the menu and toggle settings, and change nothing of the signature', () => {
    approve(each);
    for (const button of [RIGHT, BOTH, BOTH, RIGHT, BOTH, RIGHT, BOTH, RIGHT, BOTH, LEFT, 0, 4]) {
      expect(device.press(button)).toBe('');
    }
    expect([...device.settings!.subarray(2, 5)]).toEqual([1, 1, 1]);
    expect(device.command(each.reveal)).toBe(each.signed);
  });

  test.each<[string, Uint8Array[]]>([
    ['its header', [each.commands[0]!]],
    ['a header of a message', [signMessage(0, Buffer.from('hello'))[0]!]],
    ['a refused header', [apdu(0x06, 0)]],
    ['a chunk of a transaction', [apdu(0x06, 1, Buffer.of(0))]],
    ['a chunk of a message', [apdu(0x07, 1, Buffer.of(0x61))]],
    ['an empty chunk', [apdu(0x06, 1)]],
    ['REVEAL of the other instruction', [Buffer.from(each.reveal).fill(each.reveal[1]! ^ 1, 1, 2)]],
    ['REVEAL with an option', [Buffer.from(each.reveal).fill(4, 3, 4)]],
    ['REVEAL without data', [apdu(each.reveal[1]!, 2)]],
    ['REVEAL of 33 bytes', [apdu(each.reveal[1]!, 2, Buffer.alloc(33))]],
    ['another n', [apdu(each.reveal[1]!, 2, Buffer.alloc(32, 7))]],
    ['the version', [GET_APP_VERSION]],
    ['a public key', [getPublicKey(0)]],
    ['a public key without an index', [apdu(0x05)]],
    ['an unknown instruction', [apdu(0x00, 1)]],
    ['bytes that are no command', [Buffer.of(0xff)]],
  ])('%s ends the wait', (_what, commands) => {
    approve(each);
    for (const command of commands) expect(device.command(command)).not.toBe('');
    expect(device.command(each.reveal)).toBe(BAD_STATE);
  });

  test('a command with a review ends the wait', () => {
    approve(each);
    expect(device.command(getPublicKey(0, true))).toBe('');
    expect(device.command(each.reveal)).toBe('6901');
    device.walk();
    expect(device.press(BOTH)).toMatch(/9000$/);
    expect(device.command(each.reveal)).toBe(BAD_STATE);
  });

  test('cancel ends the wait and draws nothing', () => {
    approve(each);
    device.press(RIGHT);
    device.app.cancel();
    expect(device.texts[0]).toBe('Settings');
    expect(device.command(each.reveal)).toBe(BAD_STATE);
  });

  test('resume ends the wait and shows the menu', () => {
    approve(each);
    device.press(RIGHT);
    device.app.resume();
    expect(device.texts[0]).toBe('ZBC Signer');
    expect(device.command(each.reveal)).toBe(BAD_STATE);
  });

  test('another seed, or none, is answered LOCKED and ends the wait', () => {
    const { seed } = device;
    for (const other of [undefined, new Uint8Array(64).fill(7)]) {
      approve(each);
      device.seed = other;
      expect(device.command(each.reveal)).toBe('5515');
      device.seed = seed;
      expect(device.command(each.reveal)).toBe(BAD_STATE);
    }
    approve(each);
    device.seed = undefined;
    device.seed = seed;
    expect(device.command(each.reveal)).toBe(each.signed);
  });

  test('n and R0 are nowhere in memory after REVEAL, also after a refused one', () => {
    const bytes = (reply: string) => Buffer.from(reply, 'hex').subarray(0, 32);
    const n = each.reveal.subarray(5);
    const parts = [n, bytes(each.point)];
    const found = () => parts.map(part => Buffer.from(device.memory).includes(part.subarray(8, 24)));
    const other = Buffer.from(each.reveal).fill(9, 5, 6);
    for (const command of [each.reveal, other, Buffer.concat([each.reveal, Buffer.of(0)]).fill(33, 4, 5)]) {
      approveOn(OWN, each);
      expect(found()).toEqual([false, true]);
      ask(command, OWN);
      // The report that was given last is not of this command alone.
      device.memory.fill(0, device.app.report_buffer(), device.app.report_buffer() + 64);
      expect(found()).toEqual([false, false]);
    }
  });
});

describe('in reports', () => {
  const check = Buffer.from(
    contacts.cases.find(({ name }) => name === 'check a contact: right, and wrong in each part')!.steps[0]!
      .command,
    'hex',
  );

  test.each<[string, Uint8Array, RegExp]>([
    ['a chunk', apdu(0x06, 1, Buffer.of(0)), /^6902$/],
    ['REVEAL with the right n', session.reveal, /^6902$/],
    ['REVEAL of the other instruction', message.reveal, /^6902$/],
    ['the version', GET_APP_VERSION, /9000$/],
    ['the name', Buffer.from('b001000000', 'hex'), /9000$/],
    ['the public key of another account', getPublicKey(5), /9000$/],
    ['the check of a contact', check, /9000$/],
    ['an unknown instruction', apdu(0x00, 1), /^6d00$/],
    ['bytes that are no command', Buffer.of(0xff), /^6700$/],
  ])('%s from elsewhere is answered and changes nothing', (_what, command, reply) => {
    for (const [channel, link] of [
      [OTHER, 0],
      [OWN, 1],
    ] as const) {
      approveOn(OWN, session);
      expect(ask(command, channel, link)).toMatch(reply);
      expect(ask(session.reveal, OWN)).toBe(session.signed);
    }
  });

  test.each<[string, Uint8Array]>([
    ['a header', signTransaction(transactions.cases[0]!)[0]!],
    ['a header with a commitment', message.commands[0]!],
    ['a refused header', apdu(0x07, 0)],
    ['a confirmation', getPublicKey(0, true)],
  ])('%s from elsewhere takes over', (_what, command) => {
    approveOn(OWN, session);
    const answer = ask(command, OTHER);
    if (answer === '9000') expect(ask(apdu(command[1]!, 1, Buffer.of(0x61)), OTHER)).toBe('9000');
    if (answer === '') {
      device.walk();
      device.press(BOTH);
      readReply(OTHER);
    }
    expect(ask(session.reveal, OWN)).toBe(BAD_STATE);
  });

  test('a cancel report ends the wait on the channel of the command only', () => {
    const cancel = (channel: number) => {
      device.memory.set([channel >> 8, channel & 0xff, 6], device.app.report_buffer());
      device.app.report(0);
    };
    approveOn(OWN, session);
    cancel(OTHER);
    expect(ask(session.reveal, OWN)).toBe(session.signed);
    approveOn(OWN, session);
    cancel(OWN);
    expect(ask(session.reveal, OWN)).toBe(BAD_STATE);
  });

  test('an approved command of reports does not wait for REVEAL outside of reports', () => {
    approveOn(OWN, session);
    expect(device.command(session.reveal)).toBe(BAD_STATE);
    expect(ask(session.reveal, OWN)).toBe(session.signed);
  });
});

test('REVEAL drops an upload, and does not touch a review', () => {
  const [header, ...chunks] = signTransaction(transactions.cases[0]!);
  expect(device.command(header!)).toBe('9000');
  expect(device.command(session.reveal)).toBe(BAD_STATE);
  expect(device.command(chunks[0]!)).toBe(BAD_STATE);
  expect(device.send([header!, ...chunks])).toBe('');
  expect(device.command(session.reveal)).toBe('6901');
  device.walk();
  expect(device.press(BOTH)).toMatch(/9000$/);
  expect(device.command(session.reveal)).toBe(BAD_STATE);
});

test('the formatted items of the review are forgotten', () => {
  const holds = () => Buffer.from(device.memory).includes('1.025 ZBC');
  expect(device.send(session.commands)).toBe('');
  expect(holds()).toBe(true);
  device.walk();
  device.press(BOTH);
  expect(holds()).toBe(false);
});

test('the approval is answered LOCKED under another seed, and waits for no REVEAL', () => {
  expect(device.send(session.commands)).toBe('');
  const { seed } = device;
  device.walk();
  device.seed = new Uint8Array(64).fill(7);
  expect(device.press(BOTH)).toBe('5515');
  device.seed = seed;
  expect(device.command(session.reveal)).toBe(BAD_STATE);
});

test('the same commitment and bytes give the same R0 and signature again', () => {
  for (let i = 0; i < 2; i++) {
    approve(session);
    expect(device.command(session.reveal)).toBe(session.signed);
  }
});

test('a flipped bit of R0 or of the uploaded bytes never gives another signature', async () => {
  const replies: string[] = [];
  approve(session);
  const memory = device.memory.slice();
  const [r0, bytes] = [session.point, session.commands[1]!.toString('hex', 5)].map(hex =>
    Buffer.from(memory).indexOf(Buffer.from(hex.slice(0, 64), 'hex')),
  ) as [number, number];
  for (const at of [r0, r0 + 31, bytes + 4, bytes + 20]) {
    device.memory.set(memory);
    device.memory[at]! ^= 1;
    try {
      replies.push(device.command(session.reveal));
    } catch {
      replies.push('trap');
    }
  }
  expect(r0 > 0 && bytes > 0).toBe(true);
  for (const reply of replies) expect(['trap', session.signed]).toContain(reply);
  expect(replies).toContain('trap');
});

test.each(Object.entries(SESSIONS))(
  'a signature of a %s that does not verify is answered only with INTERNAL',
  async (_name, each) => {
    device = new BareDevice(await compileWithoutVerification('zbc-signer.wasm'), undefined, false);
    approve(each);
    expect(device.command(each.reveal)).toBe('6f00');
    expect(device.command(each.reveal)).toBe(BAD_STATE);
  },
);
