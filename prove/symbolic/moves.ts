// Proves where a press leads from each page of a review up to the approve page, for any items and numbers
// of pages: to the next page, or to the previous one if there is one, so that no page is skipped.
import { MAX_LINKED } from '@zbc-signer/protocol/limits';
import { FIRST_ITEM, ITEM_SIZE, ITEMS, POSITION_SIZE, readLayout } from '../amounts/layout.js';
import type { WasmModule } from '../wasm/module.js';
import { Paths } from './paths.js';
import { Run } from './run.js';
import type { Solver } from './solver.js';
import { anything, SymbolicDomain } from './symbolic-domain.js';

const [LEFT, RIGHT] = [1, 2] as const;
/** The longest value has at most so many pages, because a page has at least four characters. */
const MOST_PAGES = MAX_LINKED / 4;

export function proveMoves(module: WasmModule, solver: Solver): number {
  const { items } = readLayout(module);
  const position = items - POSITION_SIZE;
  const paths = new Paths(solver);
  const { terms } = paths;
  paths.explore(() => {
    const places = [anything(position, POSITION_SIZE), anything(items, FIRST_ITEM, false)];
    const run = new Run(module, paths, new SymbolicDomain(module, paths, places, []));
    const below = (end: number) => paths.fresh(32, 0n, BigInt(end - 1));
    const [none, one] = [run.number(0), run.number(1)];
    const [item, page, ahead] = [below(ITEMS + 1), below(MOST_PAGES), below(ITEMS * MOST_PAGES)];
    const [last, others] = [below(ITEMS), terms.plus(below(MOST_PAGES), 1)];
    const [count, next, behind] = [last, page, item].map(each => terms.plus(each, 1));
    paths.assume(terms.less(item, terms.plus(count!, 1)));
    const pages = paths.decide(terms.eq(item, count!)) ? one : terms.plus(below(MOST_PAGES), 1);
    paths.assume(terms.less(page, pages));
    for (const [i, each] of [item, page, pages, ahead].entries()) run.domain.write(position + 4 * i, each);
    run.domain.write(items, count!);
    const isForward = paths.decide(run.any());
    const isWithin = paths.decide(isForward ? terms.less(next!, pages) : terms.less(none, page));
    const isFirst = !isForward && !isWithin && paths.decide(terms.eq(item, none));
    const step = isFirst ? 0 : isForward ? 1 : -1;
    const there = terms.plus(item, isWithin ? 0 : step);
    const pagesThere = isForward ? terms.select(terms.less(behind!, count!), others, one) : others;
    const pageThere = isForward ? none : terms.plus(others, -1);
    const moved =
      isWithin || isFirst ? [there, terms.plus(page, step), pages] : [there, pageThere, pagesThere];
    run.stub('paginate/countPages', of => {
      const isThere = terms.eq(of, terms.plus(run.number(items + FIRST_ITEM), there, BigInt(ITEM_SIZE)));
      paths.require(isThere, 'the pages of a wrong item are counted');
      return others;
    });
    run.stub('review/drawReview', () => undefined);
    run.call('press/pressInReview', run.number(isForward ? RIGHT : LEFT));
    for (const [i, each] of [...moved, terms.plus(ahead, -step)].entries()) {
      const isSame = terms.eq(run.domain.peek(position + 4 * i, 4), each);
      paths.require(isSame, 'a press may lead to a wrong page');
    }
  });
  return paths.count;
}
