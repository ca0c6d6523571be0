import { type Item, itemsOf } from '../../../prove/described/items.js';
import { openOf, proveParts, proveUniqueParse, shapesOf } from '../../../prove/theorem/grammar.js';
import { listedParts, proveCited, readTexts } from '../../../prove/theorem/premises.js';

type Table = typeof itemsOf;

/** Replaces items of the table. */
const withItems =
  (change: (item: Item) => Item | undefined): Table =>
  review =>
    itemsOf(review).flatMap(item => change(item) ?? []);
const without = (title: string) => withItems(item => (item.title === title ? undefined : item));
const withValue = (title: string, change: (value: string) => string) =>
  withItems(item => (item.title === title ? { ...item, value: change(item.value) } : item));

/** The theorem's result for a table, with each of the two settings. */
function judge(table: Table) {
  for (const isDetailed of [true, false]) proveUniqueParse(shapesOf(isDetailed, table));
  return { open: openOf(shapesOf(true, table)), hidden: openOf(shapesOf(false, table)) };
}

test('1956 kinds of reviews differ in their items in each setting, and show all parts when details are shown', () => {
  expect([true, false].map(isDetailed => shapesOf(isDetailed).length)).toEqual([1956, 1956]);
  proveParts();
  expect(judge(itemsOf)).toEqual({ open: [], hidden: listedParts(readTexts()) });
});

test.each<[string, Table, string[]]>([
  ['the fee is left out', without('Fee'), ['own.fee']],
  ['the recipient is left out', without('Recipient'), ['own.recipient']],
  [
    'the hash of a binary message is cut',
    withValue('Message', value => value.replace('digest', 'digits')),
    ['own.message'],
  ],
  ['the hash of a chain is cut', withValue('Chain hash', () => '<digits genesis>'), ['genesis']],
  [
    'an amount is shown only in a sum',
    withValue('Amount', value => value.replace('coins', 'sum')),
    ['own.amount'],
  ],
  [
    'another field is the commission',
    withValue('Escrow commission', value => value.replace('commission', 'fee')),
    ['own.commission'],
  ],
  [
    'what is decided is not named',
    without('Escrow transaction'),
    ['linked.feeInToken', 'linked.signature', 'own.escrowHash'],
  ],
])('with details shown, a part is reported as not shown when %s', (_, table, open) => {
  expect(judge(table).open).toEqual(open);
});

test.each<[string, Table, RegExp]>([
  [
    'a title appears twice',
    withItems(item => ({ ...item, title: item.title.replace('Escrow fee', 'Fee') })),
    /two items with the title Fee/,
  ],
  ['a decision is shown as the other', withValue('Escrow decision', () => 'APPROVE'), /read alike/],
  ['a flag is left out', without('Escrow multi-party'), /read alike/],
  [
    'nothing limits the values of a field',
    review => (review.own.is('nonce', 0) ? [] : itemsOf(review)),
    /nonce/,
  ],
  ['nothing defines a notation', withValue('Fee', () => '<roman own.fee>'), /roman/],
])('the theorem breaks when %s', (_, table, message) => {
  expect(() => judge(table)).toThrow(message);
});

describe('the page of the theorem', () => {
  const texts = readTexts();

  test('cites every proof, and each proof is run and has a section', () => {
    expect(proveCited(texts)).toBeGreaterThan(5);
  });

  test.each<[string, Partial<typeof texts>]>([
    ['a proof is not cited', { page: texts.page.replaceAll('#amounts', '#pages') }],
    ['a proof is not run', { rules: texts.rules.replace(/^described:.*$/m, '') }],
    ['a proof has no claim', { soundness: texts.soundness.replaceAll('ONLY=symbolic', 'ONLY=other') }],
  ])('is reported as wrong when %s', (_, change) => {
    expect(() => proveCited({ ...texts, ...change })).toThrow();
  });
});
