import { measure } from '../../bench/measure.js';

const cell = new Int32Array(new SharedArrayBuffer(4));

function compute(): number {
  let sum = 0;
  for (let i = 0; i < 2_000_000; i++) sum = (sum * 31 + i) | 0;
  return sum;
}

test('a function that other programs delay is measured like one that they do not', () => {
  const delayed = () => {
    compute();
    // The thread waits, as when another program has the processor.
    Atomics.wait(cell, 0, 0, 1);
  };
  const figures = measure(
    new Map([
      ['prompt', compute],
      ['delayed', delayed],
    ]),
  );
  expect(figures.get('delayed')!.ratio).toBeGreaterThan(0.6);
});
