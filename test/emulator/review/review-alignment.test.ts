import { alignReviews } from '#emulator/review/expect-review.js';

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
