import { type Numbers, pick, randomBytes } from '../../../testkit/chain/numbers.js';
import { u32, u64 } from '../../../testkit/crypto/little-endian.js';
import { OWN_ACCOUNTS } from './accounts.js';
import { type Layout, type Segment, type SegmentName, segmentOf } from './layout.js';

/**
 * Changes the segments of a transaction. Earlier edits may have removed some of them. `donor` is the layout
 * of another transaction.
 */
type LayoutEdit = (layout: Layout, numbers: Numbers, donor: Layout) => Layout;

const TYPES = [0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 18, 258, 260, 0x0100_0001, 0xffff_ffff];
const KINDS = [...Array(18).keys(), 0x100, 0x0100_0000, 0xffff_ffff];
const PAYLOADS = [0, 19, 20, 21, 27, 28, 29, 31, 32, 33];
/** Lengths close to every limit of a body, a message, an instruction and a transaction. */
const LENGTHS = [
  0, 1, 7, 8, 9, 12, 15, 16, 17, 18, 35, 36, 37, 255, 256, 257, 511, 512, 513, 1900, 2048, 2100,
];
const WORDS = [0n, 1n, 2n, 2_499_999n, 2_500_000n, 2n ** 31n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n];

const COUNTED = {
  body: 'body length',
  instruction: 'instruction length',
  message: 'message length',
} as const;
const NUMBERS_OF_8 = ['timestamp', 'fee', 'commission', 'timeout'] as const;

/** Replaces a segment of the layout, if it exists. */
export function put(layout: Layout, name: SegmentName, bytes: Buffer): Layout {
  return layout.map(segment => (segment.name === name ? { name, bytes } : segment));
}

/** Cuts or pads bytes to a length. */
function resize(bytes: Buffer, length: number, numbers: Numbers): Buffer {
  return Buffer.concat([bytes.subarray(0, length), randomBytes(numbers, Math.max(0, length - bytes.length))]);
}

/**
 * Resizes a segment and sets its length field. A new instruction is always a text, so that a broadcast can
 * contain it.
 */
function resizeCounted(layout: Layout, name: keyof typeof COUNTED, length: number, numbers: Numbers): Layout {
  const bytes = segmentOf(layout, name);
  if (bytes === undefined) return layout;
  const resized = resize(bytes, length, numbers);
  const fitting = name === 'instruction' ? Buffer.from(resized.map(byte => byte & 0x7f)) : resized;
  return put(put(layout, name, fitting), COUNTED[name], u32(length));
}

function isEscrow({ name }: Segment): boolean {
  return ['approver', 'commission', 'timeout', 'instruction', 'multi-party'].some(part =>
    name.startsWith(part),
  );
}

/** Replaces the escrow, which is field 9, by the donor's escrow. */
function withEscrowOf(layout: Layout, donor: Layout): Layout {
  const before = layout.findIndex(isEscrow);
  return [
    ...layout.slice(0, before),
    ...donor.filter(isEscrow),
    ...layout.slice(before).filter(s => !isEscrow(s)),
  ];
}

/** Edits by name; the report of a fault lists the names. */
export const LAYOUT_EDITS: Readonly<Record<string, LayoutEdit>> = {
  'another type': (layout, numbers) => put(layout, 'type', u32(pick(numbers, TYPES))),
  'another version': (layout, numbers) => put(layout, 'version', Buffer.of(numbers(4))),
  'another number': (layout, numbers) => put(layout, pick(numbers, NUMBERS_OF_8), u64(pick(numbers, WORDS))),
  'a timeout at the timestamp, or one second from it': (layout, numbers) => {
    const timestamp = segmentOf(layout, 'timestamp')?.readBigUInt64LE() ?? 0n;
    return put(layout, 'timeout', u64(BigInt.asUintN(64, timestamp + BigInt(numbers(3)) - 1n)));
  },
  'another kind': (layout, numbers) => {
    const whose = pick(numbers, ['sender kind', 'recipient kind', 'approver kind'] as const);
    return put(layout, whose, u32(pick(numbers, KINDS)));
  },
  'another payload': (layout, numbers) => {
    const whose = pick(numbers, ['sender payload', 'recipient payload', 'approver payload'] as const);
    return put(layout, whose, randomBytes(numbers, pick(numbers, PAYLOADS)));
  },
  'another account of the user as sender': (layout, numbers) =>
    put(layout, 'sender payload', Buffer.from(pick(numbers, OWN_ACCOUNTS).payload)),
  'another recipient': (layout, numbers) => {
    const [kind, length] = pick(numbers, [
      [2, 0],
      [4, 20],
      [7, 20],
      [12, 32],
      [13, 28],
      [16, 20],
      [17, 32],
    ]);
    return put(put(layout, 'recipient kind', u32(kind!)), 'recipient payload', randomBytes(numbers, length!));
  },
  'another length': (layout, numbers) =>
    put(layout, pick(numbers, Object.values(COUNTED)), u32(pick(numbers, LENGTHS))),
  'another body': (layout, numbers) => resizeCounted(layout, 'body', pick(numbers, LENGTHS), numbers),
  'another instruction': (layout, numbers) =>
    resizeCounted(layout, 'instruction', pick(numbers, LENGTHS), numbers),
  'another message': (layout, numbers) => resizeCounted(layout, 'message', pick(numbers, LENGTHS), numbers),
  'another flag': (layout, numbers) => put(layout, 'multi-party', Buffer.of(numbers(4))),
  'another word in the body': (layout, numbers) => {
    const body = segmentOf(layout, 'body') ?? Buffer.alloc(0);
    const at = pick(numbers, [0, 4, 8, 16]);
    return put(
      layout,
      'body',
      Buffer.concat([body.subarray(0, at), u64(pick(numbers, WORDS)), body.subarray(at + 8)]).subarray(
        0,
        body.length,
      ),
    );
  },
  'no escrow': layout =>
    layout
      .filter(segment => !isEscrow(segment) || segment.name === 'approver kind')
      .map(segment => (segment.name === 'approver kind' ? { ...segment, bytes: u32(2) } : segment)),
  'the escrow of another transaction': (layout, _numbers, donor) => withEscrowOf(layout, donor),
  'a segment of another transaction': (layout, numbers, donor) => {
    const { name, bytes } = pick(numbers, donor);
    return put(layout, name, bytes);
  },
  'the end of another transaction': (layout, numbers, donor) => {
    const { name } = pick(numbers, layout);
    const from = donor.findIndex(segment => segment.name === name);
    return from < 0
      ? layout
      : [
          ...layout.slice(
            0,
            layout.findIndex(segment => segment.name === name),
          ),
          ...donor.slice(from),
        ];
  },
  'an omitted segment': (layout, numbers) => {
    const gone = numbers(layout.length);
    return layout.filter((_, at) => at !== gone);
  },
  'a repeated segment': (layout, numbers) => {
    const at = numbers(layout.length);
    return [...layout.slice(0, at + 1), ...layout.slice(at)];
  },
  'two segments swapped': (layout, numbers) => {
    const [one, other] = [numbers(layout.length), numbers(layout.length)];
    return layout.map((segment, at) => (at === one ? layout[other]! : at === other ? layout[one]! : segment));
  },
};
