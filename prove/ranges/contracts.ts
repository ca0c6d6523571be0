// Replacements for calls that the analysis does not follow: the platform, and the results of `make prove
// ONLY=symbolic` for the parser and for the lines of a value.
import { TRANSACTION_FORMATS } from '@zbc-signer/chain';
import {
  FRAME_LENGTH,
  MAX_LINKED,
  MAX_TRANSACTION,
  SEED_LENGTH,
  SETTINGS_LENGTH,
} from '@zbc-signer/protocol/limits';
import { FIRST_ITEM, ITEM_SIZE, ITEMS } from '../amounts/layout.js';
import {
  ITEM,
  linesOf,
  readLayout as readDrawing,
  readLiterals,
  TITLE_LENGTH,
  titlesOf,
} from '../pages/layout.js';
import { MOST_PAGES } from '../pages/paging.js';
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
import { Findings } from './findings.js';
import { interval, isWithin, type Range, union, valuesOf } from './state/range.js';
import type { State } from './state/state.js';
import { constant, sum, symbol, type Term } from './state/term.js';

const LINE = 21;
const MOST_DECIMALS = 18;
/** Maximum length of an account's payload. */
const LONGEST_ACCOUNT = 32;
/** Offset of an item's length (firmware/assembly/review/items.ts). */
const ITEM_LENGTH = 8;

const just = (value: number): Range => interval(value, value);

/** Functions whose accesses, traps and loops another proof covers, for all arguments used here. */
export const SHOWN_ELSEWHERE: readonly [RegExp, string][] = [
  [/^transaction\/|^screen\/paginate\/(lineLength|nextLine)$/, 'make prove ONLY=symbolic'],
  [
    /^screen\/(page\/(drawItemPage|drawLines|drawUnderTitle)|draw\/\w+|paginate\/(nextPage|countPages))$/,
    'make prove ONLY=pages',
  ],
  [/^review\/format\/(putScaled|putFraction)$/, 'make prove ONLY=amounts'],
];

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

/** Properties of an accepted transaction: kinds, lengths, and pointers into the received bytes. */
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
  const kinds = union(interval(0, 1), interval(3, 16));
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

const typesOf = (isPayment: boolean): number[] =>
  Object.entries(TRANSACTION_FORMATS).flatMap(([type, format]) =>
    format.isPayment === isPayment ? [Number(type)] : [],
  );
/** The types of accepted transactions, each with its possible linked types. */
const ACCEPTED: readonly (readonly [type: number, linked?: number])[] = [
  ...typesOf(true).map(type => [type] as const),
  ...typesOf(false).flatMap(type => typesOf(true).map(linked => [type, linked] as const)),
];

/** Forms the items of each kind of accepted transaction in turn. */
function describeTransaction(module: WasmModule, layout: Layout): [number, Contract] {
  const index = functionIndex(module, 'describeTransaction');
  const contract: Contract = (analysis, parameters, state) => {
    const returned = ACCEPTED.flatMap(([type, linked]) => {
      const own = state.copy();
      describeFields(analysis, own, layout.transaction, layout, type, MAX_TRANSACTION);
      if (linked) describeFields(analysis, own, layout.linked, layout, linked, MAX_LINKED);
      return analysis.follow(index, parameters, own) ?? [];
    });
    return joined(analysis, returned);
  };
  return [index, contract];
}

/** Replaces the parser: afterwards nothing is known about the fields of a transaction. */
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

/** Requires a drawn item to be in the list, with a literal title that `make prove ONLY=pages` covers. */
function requireItem({ memory }: Analysis, item: Term, state: State, drawn: Drawn): boolean {
  const { low, high } = state.range(item);
  const { items, titles } = drawn;
  const title = memory.load(state, 'i32.load', item, ITEM.title);
  if (!title) return false;
  const isItem = low >= items.start && high <= items.start + items.length - ITEM_SIZE;
  const isTitle = valuesOf(state.range(title))?.every(each => titles.has(each));
  if (!isItem) memory.findings.open.set(memory.place, `an item at ${low} to ${high} may not be in the list`);
  else if (!isTitle) memory.findings.open.set(memory.place, 'the title may not be one of the literals');
  return true;
}

/** Arguments for which `make prove ONLY=pages` covers the pages of items, and pages of two lines. */
interface Drawn {
  items: { start: number; length: number };
  titles: ReadonlySet<number>;
  /** Literals that may be lines. */
  lines: ReadonlySet<number>;
}

function drawing(module: WasmModule): [number, Contract][] {
  const { title, frame, items } = readDrawing(module);
  const drawn: Drawn = {
    items: { start: items + FIRST_ITEM, length: ITEMS * ITEM_SIZE },
    titles: new Set(titlesOf(readLiterals(module)).map(({ address }) => address)),
    lines: new Set(linesOf(readLiterals(module)).map(({ address }) => address)),
  };
  const draws = ({ memory }: Analysis, state: State): Returned => {
    memory.clobber(state, title, TITLE_LENGTH);
    memory.clobber(state, frame, FRAME_LENGTH);
    return { state, results: [] };
  };
  const drawItemPage: Contract = (analysis, [item], state) =>
    requireItem(analysis, item!, state, drawn) ? draws(analysis, state) : undefined;
  const drawUnderTitle: Contract = (analysis, [upper, length], state) => {
    const { findings, place } = analysis.memory;
    const isLine = valuesOf(state.range(upper!))?.every(each => drawn.lines.has(each));
    if (!isLine) findings.open.set(place, 'the upper line may not be one of the literals');
    if (!isWithin(state.range(length!), interval(0, LINE)))
      findings.open.set(place, 'the line may be too long');
    return draws(analysis, state);
  };
  const countPages: Contract = (analysis, [item], state) =>
    requireItem(analysis, item!, state, drawn)
      ? { state, results: [symbol(32, interval(1, MOST_PAGES))] }
      : undefined;
  return [
    [functionIndex(module, 'drawItemPage'), drawItemPage],
    [functionIndex(module, 'drawUnderTitle'), drawUnderTitle],
    [functionIndex(module, 'countPages'), countPages],
  ];
}

/** Replaces functions of amounts; requires a number of decimals that `make prove ONLY=amounts` covers. */
function amounts(module: WasmModule): [number, Contract][] {
  return ['putScaled', 'putFraction'].map(name => {
    const index = functionIndex(module, name);
    const own = `${module.functions[index]!.name}:`;
    const contract: Contract = (analysis, parameters, state) => {
      const { memory } = analysis;
      const outer = memory.findings;
      if (!isWithin(state.range(parameters[1]!), interval(0, MOST_DECIMALS)))
        outer.open.set(
          memory.place,
          `the number of decimals may be ${JSON.stringify(state.range(parameters[1]!))}`,
        );
      memory.findings = new Findings();
      const after = analysis.follow(index, parameters, state);
      for (const place of [...memory.findings.open.keys()])
        if (place.startsWith(own)) memory.findings.open.delete(place);
      outer.add(memory.findings);
      memory.findings = outer;
      return after;
    };
    return [index, contract];
  });
}

/** Replaces the functions that return the length of a line, and the offset of the next line. */
function paginator(module: WasmModule): [number, Contract][] {
  const contract =
    (isNext: boolean): Contract =>
    ({ memory }, [item, from], state) => {
      const length = memory.load(state, 'i32.load', item!, ITEM_LENGTH);
      if (!length) return undefined;
      const left = state.difference(length, from!);
      if (!left || state.range(left).low < 1 || state.range(from!).low < 0)
        memory.findings.open.set(memory.place, 'the line may begin outside its value');
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
    ...drawing(module),
    ...amounts(module),
  ]);
}
