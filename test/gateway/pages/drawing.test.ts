import { linePath, niceCeiling } from '#gateway/pages/drawing.js';

/** A plot of four steps of 10 units, 100 units high. */
const PLOT = { width: 40, height: 100, least: 0, most: 10 };

test.each([
  [0, 1],
  [-3, 1],
  [Number.NaN, 1],
  [1, 1],
  [1.2, 1.5],
  [7, 8],
  [9, 10],
  [10, 10],
  [11, 15],
  [1080, 1500],
  [1_900_000, 2_000_000],
])('the axis for values up to %d ends at %d', (value, most) => {
  expect(niceCeiling(value)).toBe(most);
});

test('breaks a line where values are missing, and shows an isolated point', () => {
  expect(linePath([0, 5, null, 10], PLOT)).toBe('M5 100L15 50M35 0h1');
  expect(linePath([null, null], PLOT)).toBe('');
  expect(linePath([1 / 3, 10, 0, 2.5], PLOT)).toBe('M5 96.7L15 0L25 100L35 75');
});

test('places values between the least and the greatest value, and in the middle if these are equal', () => {
  expect(linePath([10, 15, 20, 30], { ...PLOT, least: 10, most: 30 })).toBe('M5 100L15 75L25 50L35 0');
  expect(linePath([7, 7, 7, 7], { ...PLOT, least: 7, most: 7 })).toBe('M5 50L15 50L25 50L35 50');
});
