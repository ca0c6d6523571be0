import { GET_APP_VERSION, getPublicKey, signTransaction } from '../../testkit/device/apdu.js';
import { BareDevice } from '../../testkit/device/bare-device.js';
import { framed, unframed } from '../../testkit/device/reports.js';
import { transactions } from '../../testkit/repository/vectors.js';

const RIGHT = 2;
const BOTH = 3;
const plainSend = transactions.cases[0]!;

let device: BareDevice;
beforeEach(async () => {
  device = await BareDevice.start();
});

/** Sends a report over the link with this number. */
function give(report: Uint8Array, link = 0): number {
  device.memory.set(report, device.app.report_buffer());
  return device.app.report(link);
}

function nextReport(): Uint8Array | undefined {
  if (device.app.reply_report() === 0) return undefined;
  const at = device.app.report_buffer();
  return device.memory.slice(at, at + 64);
}

/** The reply assembled from the reports of this channel, in hex. */
function readReply(channel: number): string | undefined {
  const reports: Uint8Array[] = [];
  for (let report = nextReport(); report; report = nextReport()) reports.push(report);
  return unframed(channel, reports)?.toString('hex');
}

/** The results of all reports of the command. */
const giveAll = (channel: number, apdu: Uint8Array, link = 0) =>
  framed(channel, apdu).map(report => give(report, link));

const byCommand = async (apdu: Uint8Array) => (await BareDevice.start()).command(apdu);

test('a command of one report is answered on its channel', async () => {
  expect(giveAll(0xabcd, GET_APP_VERSION)).toEqual([1]);
  expect(readReply(0xabcd)).toBe(await byCommand(GET_APP_VERSION));
  expect(nextReport()).toBeUndefined();
});

test('several reports carry a long reply, padded with zeros', async () => {
  expect(giveAll(1, getPublicKey(0))).toEqual([1]);
  const reports = [nextReport()!, nextReport()!];
  expect(nextReport()).toBeUndefined();
  const reply = Buffer.from(await byCommand(getPublicKey(0)), 'hex');
  expect(reports).toEqual(framed(1, reply));
});

test.each([1, 56, 57, 58, 116, 117, 255])(
  'a command with %s bytes of data is received whole',
  async count => {
    const command = Buffer.concat([Buffer.of(0xe0, 0x07, 1, 0, count), Buffer.alloc(count, 0x61)]);
    const header = Buffer.from('e00700000800000000ff070000', 'hex');
    expect(giveAll(9, header)).toEqual([1]);
    expect(readReply(9)).toBe('9000');
    const answers = giveAll(9, command);
    expect(answers).toEqual(answers.map((_, at) => (at === answers.length - 1 ? 1 : 0)));
    expect(readReply(9)).toBe('9000');
  },
);

test('the reply to a decision goes to the channel whose command waited, and another channel gets BUSY', () => {
  for (const apdu of signTransaction(plainSend)) giveAll(7, apdu);
  expect(nextReport()).toBeUndefined();
  expect(giveAll(8, GET_APP_VERSION)).toEqual([1]);
  expect(readReply(8)).toBe('6901');
  while (device.texts[1] !== 'approve: press both') device.app.button(RIGHT);
  expect(device.app.button(BOTH)).toBeGreaterThan(0);
  expect(readReply(7)).toBe(`${plainSend.expect.signature}${plainSend.expect.tx_hash}9000`);
});

test('a decision about a command that did not arrive in reports gives no report', () => {
  device.send([getPublicKey(0, true)]);
  device.walk();
  expect(device.press(BOTH)).toMatch(/9000$/);
  expect(nextReport()).toBeUndefined();
});

/** A chunk in three reports. */
const CHUNK = Buffer.concat([Buffer.of(0xe0, 0x06, 1, 0, 150), Buffer.alloc(150)]);

test('a report of another tag is ignored', () => {
  const [first, second, third] = framed(5, CHUNK);
  expect([first!, second!.with(2, 4), second!, third!].map(report => give(report))).toEqual([0, 0, 0, 1]);
  expect(readReply(5)).toBe('6902');
});

test.each([
  ['the first report', [1, 2]],
  ['a report in the middle', [0, 2]],
  ['the order', [0, 2, 1]],
])('a command that lacks %s is answered once', (_, order) => {
  const reports = framed(5, CHUNK);
  const replies = order.map(i => (give(reports[i]!) ? readReply(5) : undefined));
  expect(replies.filter(reply => reply !== undefined)).toEqual(['6902']);
  expect(nextReport()).toBeUndefined();
  expect(giveAll(5, GET_APP_VERSION)).toEqual([1]);
});

test.each([
  ['one report', GET_APP_VERSION, [1]],
  ['several reports', CHUNK, [1, 0, 1]],
])('a command of %s on the channel of an unfinished one is answered', (_, apdu, replies) => {
  give(framed(5, CHUNK)[0]!);
  expect(giveAll(5, apdu)).toEqual(replies);
});

test('a command that lacks a report ends the upload of its channel, and of no other', () => {
  const [header, chunk] = signTransaction(plainSend);
  for (const [channel, reply] of [
    [6, ''],
    [5, '6902'],
  ] as const) {
    giveAll(5, header!);
    const [first, , third] = framed(channel, CHUNK);
    expect([give(first!), give(third!)]).toEqual([0, 1]);
    expect(readReply(channel)).toBe('6902');
    giveAll(5, chunk!);
    expect(readReply(5) ?? '').toBe(reply);
    device.app.cancel();
  }
});

test.each([262, 1000, 0xffff])('a command of %s bytes is answered 6700, and overwrites nothing', length => {
  const before = device.memory.slice();
  const answers = giveAll(3, new Uint8Array(length).fill(0xee));
  expect(answers.slice(0, -1).every(answer => answer === 0)).toBe(true);
  expect(answers.at(-1)).toBe(1);
  expect(readReply(3)).toBe('6700');
  const buffers = [device.app.buffer(), device.app.report_buffer()];
  const changed = [...device.memory.keys()].filter(at => device.memory[at] !== before[at]);
  const strays = changed.filter(at => !buffers.some((start, i) => at >= start && at < start + [261, 64][i]!));
  // The bytes of the first five reports are also kept where a command is assembled.
  const kept = strays.filter(at => device.memory[at] === 0xee);
  expect(kept.length).toBeLessThanOrEqual(57 + 4 * 59);
  expect(kept.every((at, i) => at === kept[0]! + i)).toBe(true);
  // The other changed bytes are the counters of the framing.
  expect(strays.length - kept.length).toBeLessThan(40);
});

test('a command of no bytes is answered 6700', () => {
  expect(giveAll(3, new Uint8Array())).toEqual([1]);
  expect(readReply(3)).toBe('6700');
});

test('when the host disconnects, its reply and its unfinished command are dropped', () => {
  const [first, second] = framed(5, Buffer.concat([Buffer.of(0xe0, 0x06, 1, 0, 90), Buffer.alloc(90)]));
  giveAll(5, getPublicKey(0));
  device.app.cancel();
  expect(nextReport()).toBeUndefined();
  give(first!);
  device.app.cancel();
  expect(give(second!)).toBe(1);
  expect(readReply(5)).toBe('6902');
});

test('a cancellation ends a review on its own channel, and does not affect one on another channel', async () => {
  const menu = [...device.texts];
  for (const apdu of signTransaction(plainSend)) giveAll(7, apdu);
  expect(give(cancellation(8))).toBe(0);
  expect(device.texts).not.toEqual(menu);
  expect(give(cancellation(7))).toBe(0);
  expect(device.texts).toEqual(menu);
  expect(nextReport()).toBeUndefined();
  expect(giveAll(7, GET_APP_VERSION)).toEqual([1]);
  expect(readReply(7)).toBe(await byCommand(GET_APP_VERSION));
});

test('a cancellation over another link does not touch a review on the same channel', () => {
  const menu = [...device.texts];
  for (const apdu of signTransaction(plainSend)) giveAll(7, apdu, 0);
  const shown = [...device.texts];
  const otherLinks = [...Array.from({ length: 15 }, (_, bit) => 1 << bit), 0x7fff];
  for (const link of otherLinks) give(cancellation(7), link);
  expect(device.texts).toEqual(shown);
  give(cancellation(7), 0);
  expect(device.texts).toEqual(menu);
});

test('a cancellation over another link does not touch an upload on the same channel', () => {
  const menu = [...device.texts];
  const [header, ...chunks] = signTransaction(plainSend);
  giveAll(7, header!, 3);
  readReply(7);
  give(cancellation(7), 2);
  for (const chunk of chunks) giveAll(7, chunk, 3);
  expect(device.texts).not.toEqual(menu);
});

/** A report that signals that the host of a channel is gone. */
const cancellation = (channel: number) => Buffer.concat([Buffer.of(channel >> 8, channel & 0xff, 6)], 64);

/** Channels and links that are not those of another host. */
const ELSEWHERE = [
  ['another channel', 6, 0],
  ['another link', 5, 1],
] as const;

describe.each(ELSEWHERE)('a command on %s', (_, channel, link) => {
  const [header, ...chunks] = signTransaction(plainSend);
  const ask = (apdu: Uint8Array) => {
    giveAll(channel, apdu, link);
    return readReply(channel);
  };

  test.each([
    ['GET_APP_VERSION', GET_APP_VERSION],
    ['a key', getPublicKey(7)],
    ['an app name', Buffer.from('b001000000', 'hex')],
    ['a command that is too long', new Uint8Array(300)],
    ['another class', Buffer.from('8006000000', 'hex')],
    ['a chunk with P2', Buffer.from('e006010101ff', 'hex')],
    ['a header with an unknown bit of P2', Buffer.from('e006000800', 'hex')],
    ['a check of a contact', Buffer.from('e008010000', 'hex')],
    ['a chunk', chunks[0]!],
    ['a chunk of another command', Buffer.from('e00701000141', 'hex')],
    ['an empty chunk', Buffer.from('e006010000', 'hex')],
  ])('%s is answered, and changes no upload', async (_name, apdu) => {
    giveAll(5, header!);
    expect(ask(apdu)).toBe(await byCommand(apdu));
    for (const chunk of chunks) giveAll(5, chunk);
    device.walk();
    device.app.button(BOTH);
    expect(readReply(5)).toBe(`${plainSend.expect.signature}${plainSend.expect.tx_hash}9000`);
  });

  test.each([
    ['a header', header!],
    ['a refused header', header!.with(8, 0xff)],
    ['the header of a message', Buffer.from('e0070000080000000002000000', 'hex')],
    ['an address to confirm', getPublicKey(0, true)],
    ['a refused address to confirm', Buffer.from('e005010000', 'hex')],
  ])('%s takes over', (_name, apdu) => {
    giveAll(5, header!);
    ask(apdu);
    give(cancellation(channel), link);
    giveAll(5, chunks[0]!);
    expect(readReply(5)).toBe('6902');
  });

  test('never completes the upload of another, or of a command that did not arrive in reports', () => {
    device.command(header!);
    expect(ask(chunks[0]!)).toBe('6902');
    giveAll(5, header!);
    expect(device.command(chunks[0]!)).toBe('6902');
    expect(device.command(getPublicKey(7))).toMatch(/9000$/);
    for (const chunk of chunks) giveAll(5, chunk);
    device.walk();
    expect(device.press(BOTH)).toBe(`${plainSend.expect.signature}${plainSend.expect.tx_hash}9000`);
  });

  test.each([
    ['one report', GET_APP_VERSION],
    ['several reports', CHUNK],
  ])('of %s is answered in the middle of a command, and both get their replies', async (_name, apdu) => {
    const [first, ...rest] = framed(5, CHUNK.with(1, 7));
    giveAll(5, Buffer.from('e00700000800000000ff070000', 'hex'));
    give(first!);
    expect(ask(apdu)).toBe(await byCommand(apdu));
    expect(giveAll(9, GET_APP_VERSION)).toEqual([1]);
    expect(rest.map(report => give(report))).toEqual([0, 1]);
    expect(readReply(5)).toBe('9000');
  });

  test('gets its reply although its reports alternate with those of another', () => {
    const [one, two] = [framed(5, CHUNK), framed(channel, CHUNK)];
    for (const i of [0, 1]) expect([give(one[i]!), give(two[i]!, link)]).toEqual([0, 0]);
    expect(give(two[2]!, link)).toBe(1);
    expect(readReply(channel)).toBe('6902');
    expect(give(one[2]!)).toBe(1);
    expect(readReply(5)).toBe('6902');
  });

  test.each([0, 1])(
    'keeps its first report during the longest command of another, after %s commands',
    earlier => {
      for (let i = 0; i < earlier; i++) {
        giveAll(9, GET_APP_VERSION);
        readReply(9);
      }
      const [first, ...rest] = framed(5, CHUNK);
      expect(give(first!)).toBe(0);
      const longest = Buffer.concat([Buffer.of(0xe0, 0x06, 1, 0, 255), Buffer.alloc(255)]);
      expect(giveAll(channel, longest, link).at(-1)).toBe(1);
      expect(readReply(channel)).toBe('6902');
      expect(rest.map(report => give(report))).toEqual([0, 1]);
      expect(readReply(5)).toBe('6902');
    },
  );

  test('gets its reply after a decision in the middle of it', async () => {
    giveAll(5, getPublicKey(0, true));
    const [first, second] = framed(channel, new Uint8Array(100));
    give(first!, link);
    device.walk();
    device.app.button(BOTH);
    expect(readReply(5)).toMatch(/9000$/);
    expect(give(second!, link)).toBe(1);
    expect(readReply(channel)).toBe('6700');
  });
});

test('of three unfinished commands the one that waited longest for a report is answered BAD_STATE', () => {
  const commands = [5, 6, 7].map(channel => framed(channel, CHUNK));
  for (const [first] of commands) give(first!);
  expect([1, 2].map(i => give(commands[0]![i]!))).toEqual([1, 1]);
  expect(readReply(5)).toBe('6902');
  for (const i of [1, 2]) {
    expect(commands.slice(1).map(reports => give(reports[i]!))).toEqual([i - 1, i - 1]);
  }
});

test('the decision goes to the link whose command waited, even if another link uses the same channel', () => {
  for (const apdu of signTransaction(plainSend)) giveAll(0xffff, apdu, 0x7fff);
  expect(giveAll(0xffff, GET_APP_VERSION, 0)).toEqual([1]);
  expect(readReply(0xffff)).toBe('6901');
  give(cancellation(0xffff), 0);
  while (device.texts[1] !== 'approve: press both') device.app.button(RIGHT);
  expect(device.app.button(BOTH)).toBeGreaterThan(0);
  expect(readReply(0xffff)).toBe(`${plainSend.expect.signature}${plainSend.expect.tx_hash}9000`);
});

test('a cancellation drops the upload of its channel', () => {
  const [header, ...chunks] = signTransaction(plainSend);
  expect(giveAll(7, header!)).toEqual([1]);
  readReply(7);
  give(cancellation(7));
  giveAll(7, chunks[0]!);
  expect(readReply(7)).toBe('6902');
});

test('a cancellation on another channel does not touch an upload', () => {
  const apdus = signTransaction(plainSend);
  giveAll(7, apdus[0]!);
  readReply(7);
  give(cancellation(8));
  const menu = [...device.texts];
  for (const chunk of apdus.slice(1)) giveAll(7, chunk);
  expect(device.texts).not.toEqual(menu);
});

test('a cancellation does not end a review that a command opened', () => {
  giveAll(7, GET_APP_VERSION);
  readReply(7);
  device.send([getPublicKey(0, true)]);
  const shown = [...device.texts];
  give(cancellation(7));
  expect(device.texts).toEqual(shown);
});

test("a cancellation is compared with the upload's channel, not with the channel of the last report", () => {
  const apdus = signTransaction(plainSend);
  giveAll(7, apdus[0]!);
  readReply(7);
  give(framed(8, new Uint8Array(100))[0]!);
  give(cancellation(8));
  const menu = [...device.texts];
  for (const chunk of apdus.slice(1)) giveAll(7, chunk);
  expect(device.texts).not.toEqual(menu);
  give(cancellation(7));
  giveAll(7, apdus[0]!);
  readReply(7);
  give(framed(8, new Uint8Array(100))[0]!);
  give(cancellation(7));
  giveAll(7, apdus[1]!);
  expect(readReply(7)).toBe('6902');
});

test('a cancellation does not drop an upload that did not arrive in reports', () => {
  giveAll(7, GET_APP_VERSION);
  readReply(7);
  const apdus = signTransaction(plainSend);
  device.command(apdus[0]!);
  give(cancellation(7));
  expect(device.command(apdus[1]!)).toBe('');
});

test('a command that is too long is answered BUSY during a review, and drops an upload', () => {
  giveAll(7, getPublicKey(0, true));
  giveAll(8, new Uint8Array(300));
  expect(readReply(8)).toBe('6901');
  give(cancellation(7));
  const apdus = signTransaction(plainSend);
  giveAll(7, apdus[0]!);
  readReply(7);
  giveAll(7, new Uint8Array(300));
  expect(readReply(7)).toBe('6700');
  giveAll(7, apdus[1]!);
  expect(readReply(7)).toBe('6902');
});
