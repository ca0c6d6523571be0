import { CircuitBreaker } from '#gateway/nodes/circuit-breaker.js';

test('a circuit breaker opens after consecutive failures, and at the first failure after the pause', () => {
  const breaker = new CircuitBreaker();
  expect([breaker.failed(3, 'late'), breaker.failed(3, 'late')]).toEqual([false, false]);
  breaker.succeeded();
  expect([breaker.failed(3, 'late'), breaker.failed(3, 'late'), breaker.failed(3, 'late')]).toEqual([
    false,
    false,
    true,
  ]);
  expect(breaker.isOpen).toBe(true);
  breaker.succeeded();
  expect([breaker.isOpen, breaker.failed(3, 'late')]).toEqual([true, false]);
  breaker.tryAgain();
  expect([breaker.isOpen, breaker.failed(3, 'late'), breaker.isOpen]).toEqual([false, true, true]);
  breaker.tryAgain();
  breaker.succeeded();
  expect([breaker.failed(3, 'late'), breaker.isOpen]).toEqual([false, false]);
});

test('a circuit breaker never opens without a limit of failures', () => {
  const breaker = new CircuitBreaker();
  for (let count = 0; count < 100; count += 1) expect(breaker.failed(0, 'late')).toBe(false);
});
