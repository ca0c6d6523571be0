import { joinPages } from '../harness/review-pages.js';

/** What must hold at every step: what was recorded, or that each screen of an item shows its value. */
export type TraceExpectation = 'recorded' | { title: string; value: string };

/** Where a value has several pages each shows a part of it, in the order of the pages. */
export function showsExpected(
  texts: readonly string[],
  { title, value }: { title: string; value: string },
): boolean {
  const [item] = joinPages([[...texts]]);
  if (item?.[0] !== title) return true;
  const isWhole = texts[0] === title;
  const expected = value.replaceAll('\n', '');
  return isWhole ? item[1] === expected : expected.includes(item[1]);
}
