import fc from 'fast-check';
import { encodeReports, ReplyAssembler } from '#host/device/transport/report-framing.js';
import { bytesOf } from '../../../../testkit/repository/vectors.js';

const CHANNEL = 0xabcd;
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ((from + at) & 0xff).toString(16).padStart(2, '0')).join('');
const padded = (hex: string) => hex.padEnd(128, '0');
const counting = (length: number) => bytesOf(range(0, length));

/** Reports written by hand from docs/APDU.md#hid. The first report holds 57 bytes, each further one 59. */
const FRAMES: [length: number, reports: string[]][] = [
  [5, [padded(`abcd0500000005${range(0, 5)}`)]],
  [57, [`abcd0500000039${range(0, 57)}`]],
  [58, [`abcd050000003a${range(0, 57)}`, padded(`abcd05000139`)]],
  [116, [`abcd0500000074${range(0, 57)}`, `abcd050001${range(57, 116)}`]],
  [
    260,
    [
      `abcd0500000104${range(0, 57)}`,
      `abcd050001${range(57, 116)}`,
      `abcd050002${range(116, 175)}`,
      `abcd050003${range(175, 234)}`,
      padded(`abcd050004${range(234, 260)}`),
    ],
  ],
];

describe('encodeReports', () => {
  test.each(FRAMES)('frames %i bytes', (length, reports) => {
    const encoded = encodeReports(CHANNEL, counting(length)).map(report =>
      Buffer.from(report).toString('hex'),
    );
    expect(encoded).toEqual(reports);
  });
});

describe('ReplyAssembler', () => {
  const report = (hex: string) => bytesOf(padded(hex));

  test.each(FRAMES)('assembles %i bytes, and returns them only after the last report', (length, reports) => {
    const assembler = new ReplyAssembler(CHANNEL);
    const replies = reports.map(hex => assembler.add(bytesOf(hex)));
    expect(replies.pop()).toEqual(counting(length));
    expect(replies.every(reply => reply === undefined)).toBe(true);
  });

  test('ignores other channels, other tags and reports of another size', () => {
    const assembler = new ReplyAssembler(CHANNEL);
    for (const other of ['abce05000000029000', 'abcd06000000029000', '0000000000']) {
      expect(assembler.add(report(other))).toBeUndefined();
    }
    expect(assembler.add(bytesOf('abcd05000000029000'))).toBeUndefined();
    expect(assembler.add(new Uint8Array(0))).toBeUndefined();
    expect(assembler.add(report('abcd05000000029000'))).toEqual(bytesOf('9000'));
  });

  test('refuses a missing or repeated report', () => {
    expect(() => new ReplyAssembler(CHANNEL).add(report('abcd050001'))).toThrow(
      'a report of the reply is missing',
    );
    const assembler = new ReplyAssembler(CHANNEL);
    assembler.add(bytesOf(FRAMES[2]?.[1][0] ?? ''));
    expect(() => assembler.add(bytesOf(FRAMES[2]?.[1][0] ?? ''))).toThrow('a report of the reply is missing');
  });

  test('refuses a length that is longer than any reply', () => {
    expect(() => new ReplyAssembler(CHANNEL).add(report('abcd050000ffff'))).toThrow(
      'the reply has 65535 bytes, expected at most 261',
    );
  });

  test('reverses encodeReports for every length', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 261, size: 'max' });
    fc.assert(
      fc.property(fc.nat(0xffff), bytes, (channel, apdu) => {
        const assembler = new ReplyAssembler(channel);
        const reports = encodeReports(channel, apdu);
        expect(reports.every(({ length }) => length === 64)).toBe(true);
        expect(reports.map(each => assembler.add(each)).at(-1)).toEqual(apdu);
      }),
    );
  });
});
