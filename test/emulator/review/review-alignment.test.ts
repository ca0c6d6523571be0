import { alignReviews } from '#emulator/review/review-alignment.js';

const differences = (...[expected, shown]: Parameters<typeof alignReviews>) =>
  alignReviews(expected, shown).map(row => row.difference);

test('an item that is there is paired with itself, not with one of the same title before it', () => {
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

test('items under other titles are never a pair', () => {
  expect(differences([['Fee', '1 ZBC']], [['Tip', '1 ZBC']])).toEqual(['missing', 'extra']);
});

test('nothing differs from nothing', () => {
  expect(alignReviews([], [])).toEqual([]);
});
