// What stands for calls that the analysis does not follow: the platform, and what `make symbolic` shows of
// the parser and of the lines of a value.
import {
  FRAME_LENGTH,
  MAX_LINKED,
  MAX_TRANSACTION,
  SEED_LENGTH,
  SETTINGS_LENGTH,
} from '@zbc-signer/protocol/limits';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import {
  CURSOR_SIZE,
  FIELDS,
  HASH_LENGTH,
  type Layout,
  readLayout,
  TRANSACTION_SIZE,
} from '../symbolic/layout.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import type { Analysis, Contract, Returned } from './analysis.js';
import { hull, interval, type Range } from './range.js';
import type { State } from './state.js';
import { constant, sum, symbol, type Term } from './term.js';

const LINE = 21;
/** Bytes of an account's payload at most. */
const LONGEST_ACCOUNT = 32;
/** Offset of an item's length (firmware/assembly/review/items.ts). */
const ITEM_LENGTH = 8;

const just = (value: number): Range => interval(value, value);

/** Functions whose accesses, traps and loops `make symbolic` covers. */
export const SHOWN_SYMBOLICALLY = /^transaction\/|^screen\/paginate\/(lineLength|nextLine)$/;

function platform(module: WasmModule): [number, Contract][] {
  const reads: Record<string, number> = {
    'hal.display': FRAME_LENGTH,
    'hal.settings_store': SETTINGS_LENGTH,
  };
  const writes: Record<string, number> = { 'hal.seed': SEED_LENGTH, 'hal.settings_load': SETTINGS_LENGTH };
  return module.functions.flatMap(({ name, code, results }, index) => {
    if (code.length > 0) return [];
    const contract: Contract = ({ memory }, parameters, state) => {
      const [pointer] = parameters;
      const length = name === 'hal.text' ? parameters[1]! : constant(writes[name] ?? reads[name] ?? 0, 32);
      if (pointer) {
        const isReached =
          name in writes
            ? memory.fill(state, pointer, undefined, length)
            : memory.reach(state, pointer, 0, length, false) !== undefined;
        if (!isReached) return undefined;
      }
      return { state, results: Array.from({ length: results }, () => symbol(32)) };
    };
    return [[index, contract]];
  });
}

/** What an accepted transaction is: kinds, lengths, and pointers into the bytes that came. */
function describeFields(
  { memory }: Analysis,
  state: State,
  at: number,
  layout: Layout,
  type: number,
  bytes: number,
) {
  const { payload } = layout;
  memory.forget(state, at, at + TRANSACTION_SIZE);
  const pointer = interval(payload, payload + MAX_TRANSACTION + MAX_LINKED);
  const length = interval(0, bytes);
  const flag = interval(0, 1);
  const kinds = hull(interval(0, 1), interval(3, 16));
  const put = (offset: number, size: number, range: Range): Term => {
    const index = memory.cellAt(at + offset, size, 'i32.store');
    const term = symbol(32, range);
    if (index !== undefined) state.setCell(index, term);
    return term;
  };
  put(FIELDS.type, 4, just(type));
  put(FIELDS.feeInToken, 4, interval(0, 2));
  put(FIELDS.approval, 4, flag);
  put(FIELDS.escrowHash, 4, interval(payload, pointer.high - HASH_LENGTH));
  put(FIELDS.hasEscrow, 1, flag);
  put(FIELDS.multiParty, 1, flag);
  for (const text of ['instruction', 'message'] as const) {
    const whole = sum([
      [put(FIELDS[text], 4, pointer), 1],
      [put(FIELDS[`${text}Length`], 4, length), 1],
    ]);
    if (whole) state.note(whole, pointer);
  }
  for (const account of ['sender', 'recipient', 'approver'] as const) {
    put(FIELDS[account], 4, kinds);
    put(FIELDS[account] + 4, 4, interval(payload, pointer.high - LONGEST_ACCOUNT));
    put(FIELDS[account] + 8, 4, interval(20, 32));
  }
}

function joined(analysis: Analysis, returned: readonly Returned[]): Returned | undefined {
  const state = analysis.join(returned.map(each => each.state));
  return state && { state, results: [] };
}

/** Forms the items of each kind of accepted transaction in turn. */
function describeTransaction(module: WasmModule, layout: Layout): [number, Contract] {
  const index = functionIndex(module, 'describeTransaction');
  const cases: [type: number, linked: number | undefined][] = [
    [SEND_ZBC, undefined],
    [TRANSFER_TOKEN, undefined],
    [APPROVAL_ESCROW, SEND_ZBC],
    [APPROVAL_ESCROW, TRANSFER_TOKEN],
  ];
  const contract: Contract = (analysis, parameters, state) => {
    const returned = cases.flatMap(([type, linked]) => {
      const own = state.copy();
      describeFields(analysis, own, layout.transaction, layout, type, MAX_TRANSACTION);
      if (linked) describeFields(analysis, own, layout.linked, layout, linked, MAX_LINKED);
      return analysis.follow(index, parameters, own) ?? [];
    });
    return joined(analysis, returned);
  };
  return [index, contract];
}

/** Transactions as they are while nothing is known of them: refused, or not looked at yet. */
function parser(module: WasmModule, layout: Layout): [number, Contract][] {
  const { cursor, transaction, linked, hash, payload } = layout;
  const parse =
    (written: readonly [number, number][], hashes: boolean): Contract =>
    (analysis, _parameters, state) => {
      for (const [at, length] of written) analysis.memory.clobber(state, at, length);
      if (!hashes) return { state, results: [] };
      const before = state.copy();
      const from = symbol(32, interval(payload, payload + MAX_TRANSACTION));
      const length = symbol(32, interval(0, MAX_LINKED));
      const update = analysis.call(functionIndex(module, 'sha3Update'), [from, length], state);
      const final =
        update && analysis.call(functionIndex(module, 'sha3Final'), [constant(hash, 32)], update.state);
      return joined(
        analysis,
        final ? [{ state: before, results: [] }, final] : [{ state: before, results: [] }],
      );
    };
  const own: [number, number][] = [
    [cursor, CURSOR_SIZE],
    [transaction, TRANSACTION_SIZE],
  ];
  const both: [number, number][] = [
    [cursor, CURSOR_SIZE],
    [linked, TRANSACTION_SIZE],
    [hash, HASH_LENGTH],
  ];
  return [
    [functionIndex(module, 'parseFields'), parse(own, false)],
    [functionIndex(module, 'parseLinked'), parse(both, true)],
  ];
}

/** Lines of a value, from an offset within it: their lengths, and where the next one begins. */
function paginator(module: WasmModule): [number, Contract][] {
  const contract =
    (isNext: boolean): Contract =>
    ({ memory }, [item, from], state) => {
      const length = memory.load(state, 'i32.load', item!, ITEM_LENGTH);
      if (!length) return undefined;
      const left = state.difference(length, from!);
      if (!left || state.range(left).low < 1 || state.range(from!).low < 0)
        memory.findings.open.set(memory.place, 'a line that may begin outside its value');
      const result = symbol(32, interval(0, isNext ? state.range(length).high : LINE));
      const change = isNext ? state.difference(result, from!) : undefined;
      if (change) state.note(change, interval(1, LINE + 1));
      if (isNext) {
        const rest = state.difference(length, result);
        if (rest) state.note(rest, interval(0, state.range(length).high));
      }
      return { state, results: [result] };
    };
  return [
    [functionIndex(module, 'lineLength'), contract(false)],
    [functionIndex(module, 'nextLine'), contract(true)],
  ];
}

export function readContracts(module: WasmModule): Map<number, Contract> {
  const layout = readLayout(module);
  return new Map([
    ...platform(module),
    ...parser(module, layout),
    describeTransaction(module, layout),
    ...paginator(module),
  ]);
}
