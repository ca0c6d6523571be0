// Splits bytes into the segments of the wire format, independently of chain/'s decoder. The only rule is that
// the segments cover all bytes.
import { ACCOUNT_KINDS, KIND_NONE } from '@zbc-signer/chain';

export type SegmentName =
  | 'type'
  | 'version'
  | 'timestamp'
  | 'sender kind'
  | 'sender payload'
  | 'recipient kind'
  | 'recipient payload'
  | 'fee'
  | 'body length'
  | 'body'
  | 'approver kind'
  | 'approver payload'
  | 'commission'
  | 'timeout'
  | 'instruction length'
  | 'instruction'
  | 'multi-party'
  | 'message length'
  | 'message';

export interface Segment {
  name: SegmentName;
  bytes: Buffer;
}

/**
 * Segments in wire order (docs/TRANSACTION.md#wire-format). Without an escrow, field 9 is only the segment
 * `approver kind`, which marks its absence.
 */
export type Layout = Segment[];

type Step = readonly [SegmentName, (before: Layout) => readonly number[]];

const fixed = (length: number) => () => [length];
const counted = (name: SegmentName) => (before: Layout) => [segmentOf(before, name)!.readUInt32LE()];
/** Payload lengths of all kinds of accounts (docs/TRANSACTION.md#accounts); each is tried with every kind. */
const anyPayload = () => [32, 20, 28, 0];

const HEAD: readonly Step[] = [
  ['type', fixed(4)],
  ['version', fixed(1)],
  ['timestamp', fixed(8)],
  ['sender kind', fixed(4)],
  ['sender payload', fixed(32)],
  ['recipient kind', fixed(4)],
  ['recipient payload', anyPayload],
  ['fee', fixed(8)],
  ['body length', fixed(4)],
  ['body', counted('body length')],
  ['approver kind', fixed(4)],
];
const ESCROW: readonly Step[] = [
  ['approver payload', anyPayload],
  ['commission', fixed(8)],
  ['timeout', fixed(8)],
  ['instruction length', fixed(4)],
  ['instruction', counted('instruction length')],
  ['multi-party', fixed(1)],
];
const TAIL: readonly Step[] = [
  ['message length', fixed(4)],
  ['message', counted('message length')],
];
const FORMS: readonly (readonly Step[])[] = [
  [...HEAD, ...TAIL],
  [...HEAD, ...ESCROW, ...TAIL],
];

/** Returns every division of the bytes into the 11 fields that ends with the message; may be empty. */
export function layoutsOf(bytes: Uint8Array): Layout[] {
  const buffer = Buffer.from(bytes);
  return FORMS.flatMap(steps => continuations(buffer, [], steps));
}

/**
 * Returns the layout in which each payload has the length of its account's kind; undefined if there is no
 * such layout.
 */
export function layoutByKinds(bytes: Uint8Array): Layout | undefined {
  return layoutsOf(bytes).find(layout => {
    const approver = segmentOf(layout, 'approver kind')!.readUInt32LE();
    const hasEscrow = segmentOf(layout, 'approver payload') !== undefined;
    return (
      fitsKind(layout, 'recipient') &&
      hasEscrow === (approver !== KIND_NONE) &&
      (!hasEscrow || fitsKind(layout, 'approver'))
    );
  });
}

function fitsKind(layout: Layout, whose: 'recipient' | 'approver'): boolean {
  const kind = segmentOf(layout, `${whose} kind`)!.readUInt32LE();
  return ACCOUNT_KINDS[kind]?.payloadLength === segmentOf(layout, `${whose} payload`)!.length;
}

function continuations(rest: Buffer, before: Layout, [step, ...later]: readonly Step[]): Layout[] {
  if (step === undefined) return rest.length === 0 ? [before] : [];
  const [name, lengths] = step;
  return lengths(before)
    .filter(length => length <= rest.length)
    .flatMap(length => {
      const segment = { name, bytes: rest.subarray(0, length) };
      return continuations(rest.subarray(length), [...before, segment], later);
    });
}

export function segmentOf(layout: Layout, name: SegmentName): Buffer | undefined {
  return layout.find(segment => segment.name === name)?.bytes;
}

export function joinLayout(layout: Layout): Buffer {
  return Buffer.concat(layout.map(({ bytes }) => bytes));
}
