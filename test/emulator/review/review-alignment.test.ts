import { alignReviews } from '#emulator/review/review-alignment.js';

const differences = (...[expected, shown]: Parameters<typeof alignReviews>) =>
  alignReviews(expected, shown).map(row => row.difference);

test('an item is paired with the equal item, not with an earlier item of the same title', () => {
  expect(
    differences(
      [
        ['Message', 'a'],
        ['Message', 'b'],
      ],
      [['Message', 'b']],
    ),
  ).toEqual(['missing', 'none']);
});

test('items with different titles are never paired', () => {
  expect(differences([['Fee', '1 ZBC']], [['Tip', '1 ZBC']])).toEqual(['missing', 'extra']);
});

test('two empty reviews do not differ', () => {
  expect(alignReviews([], [])).toEqual([]);
});
