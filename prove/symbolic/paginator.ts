// Proves how the shipped module breaks a value into lines, for all values and offsets. A page begins with the
// line after the last line of the previous page, so pages omit nothing, and their number is finite.
import { MAX_LINKED } from '@zbc-signer/protocol/limits';
import { UnprovenClaim } from '../control.js';
import { Machine } from '../wasm/machine.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import { Paths } from './paths.js';
import type { Solver } from './solver.js';
import { anything, SymbolicDomain } from './symbolic-domain.js';
import { known, type Term } from './terms.js';

/** Offsets within an item (firmware/assembly/review/items.ts). */
const VALUE = 4;
const LENGTH = 8;
const ITEM_SIZE = 16;
/** Address of the item, after all memory that the module uses. */
const ITEM = 65_000;

const COLUMNS = 21;
const LINE_FEED = 10n;

interface PaginatorTally {
  paths: number;
  accesses: number;
}

function show(paths: Paths, domain: SymbolicDomain, value: Term, length: Term, module: WasmModule): void {
  const { terms } = paths;
  const number = (each: bigint) => terms.constant(each, 32);
  const isAtMost = (a: Term, b: Term) => terms.not(terms.less(b, a));
  const from = paths.fresh(32, 0n, BigInt(MAX_LINKED) - 1n);
  paths.assume(terms.less(from, length));
  const call = (name: string) =>
    new Machine(module, domain).call(functionIndex(module, name), [number(BigInt(ITEM)), from])[0]!;
  const line = known(call('lineLength'));
  if (line === undefined || line > COLUMNS) throw new UnprovenClaim('a line may be too long');
  const end = terms.plus(from, number(line));
  paths.require(isAtMost(end, length), 'a line may be longer than the rest of the value');
  const characterAt = (offset: Term) => terms.input(terms.plus(value, offset));
  const isLineFeed = (offset: Term) => terms.eq(characterAt(offset), terms.constant(LINE_FEED, 8));
  for (let i = 0n; i < line; i++)
    paths.require(terms.not(isLineFeed(terms.plus(from, number(i)))), 'a line may contain a line feed');
  const next = call('nextLine');
  paths.require(terms.less(from, next), 'the next line may not begin after this line');
  paths.require(isAtMost(next, length), 'the next line may be beyond the value');
  if (paths.decide(terms.eq(next, end))) return;
  paths.require(
    terms.eq(next, terms.plus(end, number(1n))),
    'characters may be omitted before the next line',
  );
  paths.require(isLineFeed(end), 'a character other than a line feed may be omitted');
}

/** Proves the lines of values of 1 to 2112 characters, at any address. */
export function provePaginator(module: WasmModule, solver: Solver): PaginatorTally {
  const item = anything(ITEM, ITEM_SIZE, false);
  const paths = new Paths(solver);
  let accesses = 0;
  paths.explore(() => {
    const value = paths.fresh(32, 64n, 32_768n);
    const length = paths.fresh(32, 1n, BigInt(MAX_LINKED));
    const domain = new SymbolicDomain(module, paths, [item], [{ start: value, length }]);
    domain.write(ITEM + VALUE, value);
    domain.write(ITEM + LENGTH, length);
    show(paths, domain, value, length, module);
    accesses += domain.accesses;
  });
  return { paths: paths.count, accesses };
}
