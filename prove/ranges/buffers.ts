// Finds the addresses of the module's buffers in its own code and in the sources
// (firmware/assembly/session.ts, transport/link.ts, screen/flow.ts). If one of them is wrong, the proofs
// fail.
import {
  ADDRESS_LENGTH,
  FRAME_LENGTH,
  MAX_APDU,
  MAX_LINKED,
  MAX_TRANSACTION,
  REPORT_LENGTH,
  SEED_LENGTH,
} from '@zbc-signer/protocol/limits';
import { ARENA_SIZE, FIRST_ITEM, ITEM_SIZE, ITEMS, readLayout as readAmounts } from '../amounts/layout.js';
import { readLayout as readDrawing, TITLE_LENGTH } from '../pages/layout.js';
import { readLayout, SPONGE_LENGTH } from '../symbolic/layout.js';
import { numbersIn, type WasmModule } from '../wasm/module.js';
import { type Buffer, PAGE } from './state/memory.js';
import { interval, type Range } from './state/range.js';

/** Offset of the titles of the last two pages in the state block. */
const APPROVE = 8;
const SCRATCH = 3056;
const KEY = 32;
const UPLOAD_HEADER = 16;
/** The link's size, and the offsets of a command's expected and received lengths. */
const LINK = { size: 40, expected: 4, received: 8 };
/** Length of the position in a review, which precedes the items in the state block. */
const POSITION = 24;
/** Bytes of the state block before the items. */
const STATE_BEFORE_ITEMS = 192;
/** Bytes of SHA-512's hash state before its length. */
const HASH_LENGTH_AT = 192;

/** The word at the address `lesser` is at most the word at `greater` plus `plus`. */
interface Order {
  lesser: number;
  greater: number;
  plus: number;
  /** Whether this is assumed here, but proved by `make prove ONLY=explore`. */
  isAssumed: boolean;
}

export interface Places {
  /** Buffers that an access must not leave. */
  buffers: Buffer[];
  /** Buffers whose words the analysis does not follow. */
  shapeless: Buffer[];
  /** Buffers that the platform writes between calls. */
  platform: Buffer[];
  /** Address of bytes that are followed as a 64-bit number: the length hashed by SHA-512. */
  hashed: number;
  /** Assumed ranges of items' titles, values and lengths when they are read. */
  assumed: Map<number, Range>;
  /** Words in memory whose ranges the analysis tracks from its start: the fields of the items. */
  words: { address: number; bytes: number }[];
  orders: Order[];
}

export function readBuffers(module: WasmModule): Places {
  const named = (name: string) => numbersIn(module, name);
  const exported = (name: string) =>
    Number(module.functions[module.exports.get(name)!]!.code.find(({ op }) => op === 'i32.const')!.value);
  const buffer = (name: string, start: number, length: number): Buffer => ({
    name,
    start,
    end: start + length,
  });
  const { payload, sponge } = readLayout(module);
  const { items, arena, digits } = readAmounts(module);
  const { frame, title, line } = readDrawing(module);
  const signing = named('crypto/sign');
  const scratch = signing[signing.indexOf(SCRATCH) - 2]!;
  const putAccount = named('putAccount');
  const address = putAccount.find(value => value > digits)!;
  const key = named('key/signAs').find(value => value > SEED_LENGTH && value % 8 === 0)!;
  const link = payload - UPLOAD_HEADER - LINK.size;
  const platform = [
    buffer('the command', exported('buffer'), MAX_APDU + 3),
    buffer('the report', exported('report_buffer'), REPORT_LENGTH),
  ];
  const shapeless = [
    ...platform,
    buffer('the frame', frame, FRAME_LENGTH + 1),
    buffer('the scratch memory', scratch, SCRATCH),
    buffer('the title', title, TITLE_LENGTH),
    buffer('the line', line, TITLE_LENGTH),
    buffer('the state of SHA-3', sponge, SPONGE_LENGTH),
    buffer('the digits', digits, 20),
    buffer('the address', address, ADDRESS_LENGTH),
    buffer('the key', key, KEY),
  ];
  const state = named('dispatch/dispatch').find(value => value === items - STATE_BEFORE_ITEMS)!;
  const parts = [
    ...shapeless,
    buffer('the upload', payload, MAX_TRANSACTION + MAX_LINKED),
    buffer('the values of items', arena, ARENA_SIZE),
  ];
  return {
    buffers: [...shapeless, { name: 'the state', start: state, end: payload + MAX_TRANSACTION + MAX_LINKED }],
    shapeless: parts.flatMap(each => {
      if (each.start !== scratch) return [each];
      return [
        buffer('', scratch, HASH_LENGTH_AT),
        buffer('', scratch + HASH_LENGTH_AT + 8, SCRATCH - HASH_LENGTH_AT - 8),
      ];
    }),
    platform,
    assumed: new Map([
      [items - POSITION, interval(0, ITEMS + 1)],
      ...[APPROVE, APPROVE + 4].map(offset => [state + offset, interval(1, PAGE)] as const),
      ...Array.from({ length: ITEMS }, (_, i) => items + FIRST_ITEM + i * ITEM_SIZE).flatMap(
        at =>
          [
            [at, interval(1, PAGE)],
            [at + 4, interval(arena, payload + MAX_TRANSACTION + MAX_LINKED)],
            [at + 8, interval(0, MAX_LINKED)],
          ] as const,
      ),
    ]),
    words: Array.from({ length: ITEMS }, (_, i) => items + FIRST_ITEM + i * ITEM_SIZE).flatMap(at => [
      ...[0, 4, 8].map(offset => ({ address: at + offset, bytes: 4 })),
      ...[12, 13].map(offset => ({ address: at + offset, bytes: 1 })),
    ]),
    hashed: scratch + HASH_LENGTH_AT,
    orders: [
      { lesser: link + LINK.received, greater: link + LINK.expected, plus: 0, isAssumed: false },
      { lesser: items - POSITION, greater: items, plus: 1, isAssumed: true },
    ],
  };
}
