import { Conduct } from '#gateway/upstream/conduct.js';

it('knows the time of 95 of 100 answers once it has seen enough', () => {
  const conduct = new Conduct();
  for (let count = 1; count <= 31; count += 1) conduct.answered(count);
  expect(conduct.p95Ms).toBeUndefined();
  conduct.answered(32);
  // The 30th of 1 to 32.
  expect(conduct.p95Ms).toBe(30);
  for (let count = 0; count < 128; count += 1) conduct.answered(5);
  expect(conduct.p95Ms).toBe(5);
  for (let count = 0; count < 160; count += 1) conduct.answered();
  expect(conduct.p95Ms).toBe(5);
});

it('opens after poor answers in a row, and at once after the pause', () => {
  const conduct = new Conduct();
  expect([conduct.failed(3), conduct.failed(3)]).toEqual([false, false]);
  conduct.answered();
  expect([conduct.failed(3), conduct.failed(3), conduct.failed(3)]).toEqual([false, false, true]);
  expect(conduct.isOpen).toBe(true);
  conduct.answered();
  expect([conduct.isOpen, conduct.failed(3)]).toEqual([true, false]);
  conduct.tryAgain();
  expect([conduct.isOpen, conduct.failed(3), conduct.isOpen]).toEqual([false, true, true]);
  conduct.tryAgain();
  conduct.answered();
  expect([conduct.failed(3), conduct.isOpen]).toEqual([false, false]);
});

it('never opens without a limit', () => {
  const conduct = new Conduct();
  for (let count = 0; count < 100; count += 1) expect(conduct.failed(0)).toBe(false);
});
