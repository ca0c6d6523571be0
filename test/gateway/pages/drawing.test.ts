import {
  bandPath,
  decadesAround,
  linearScale,
  linePath,
  logarithmicScale,
  niceCeiling,
  stackedBars,
} from '#gateway/pages/drawing.js';

/** Four parts of 10 units, 100 units high, 5 from the left and 20 from the top. */
const PLOT = { left: 5, top: 20, width: 40, height: 100 };

it.each([
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

it('places values linearly, from the bottom up', () => {
  const scale = linearScale(10, 30, PLOT);
  expect([10, 15, 20, 30].map(scale)).toEqual([120, 95, 70, 20]);
  expect(linearScale(7, 7, PLOT)(7)).toBe(70);
});

it('places ratios equally', () => {
  const scale = logarithmicScale(1, 100, PLOT);
  expect([1, 10, 100].map(scale)).toEqual([120, 70, 20]);
  expect(scale(Math.sqrt(10))).toBeCloseTo(95);
  expect(scale(0)).toBe(120);
});

it.each([
  [[null, 3, 40], 1, 100],
  [[0.4, 2], 0.1, 10],
  [[10, 10], 10, 100],
  [[1, 100], 1, 100],
  [[null, 0], 1, 10],
  [[], 1, 10],
])('the decades around %j are %d to %d', (values, least, most) => {
  const found = decadesAround(values);
  expect(found.least).toBeCloseTo(least);
  expect(found.most).toBeCloseTo(most);
});

it('stacks bars, each of four fifths of its part, and leaves out what is nothing', () => {
  const paths = stackedBars(
    [
      [5, 0, 10, 1],
      [5, 3, 0, 0],
    ],
    10,
    PLOT,
  );
  expect(paths).toEqual([
    'M5 120v-50h8v50zM25 120v-100h8v100zM35 120v-10h8v10z',
    'M5 70v-50h8v50zM15 120v-30h8v30z',
  ]);
  expect(stackedBars([[0, 0]], 1, PLOT)).toEqual(['']);
  expect(stackedBars([], 1, PLOT)).toEqual([]);
});

it('breaks a line where there is nothing, and shows a point alone', () => {
  const scale = linearScale(0, 10, PLOT);
  expect(linePath([0, 5, null, 10], scale, PLOT)).toBe('M10 120L20 70M40 20h1');
  expect(linePath([null, null], scale, PLOT)).toBe('');
  expect(linePath([1 / 3, 10, 0, 2.5], scale, PLOT)).toBe('M10 116.7L20 20L30 120L40 95');
});

it('fills the area between two lines where both are', () => {
  const scale = linearScale(0, 10, PLOT);
  expect(bandPath([0, 0, 1, 2], [10, 5, null, 4], scale, PLOT)).toBe('M10 120L20 120L20 70L10 20z');
  expect(bandPath([1, null], [2, null], scale, PLOT)).toBe('');
});
