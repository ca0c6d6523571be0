import { jest } from '@jest/globals';
import { CircuitBreaker } from '#gateway/nodes/circuit-breaker.js';

const AFTER_THREE = { failures: 3, pauseMs: 1000 };
let nowMs: number;

beforeEach(() => {
  nowMs = 1;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => jest.restoreAllMocks());

test('a circuit breaker opens after consecutive failures, and at the first failure after the pause', () => {
  const breaker = new CircuitBreaker();
  const fail = () => breaker.failed(AFTER_THREE, 'late');
  expect([fail(), fail()]).toEqual([false, false]);
  breaker.succeeded();
  expect([fail(), fail(), fail()]).toEqual([false, false, true]);
  expect(breaker.isOpen).toBe(true);
  breaker.succeeded();
  expect([breaker.isOpen, fail()]).toEqual([true, false]);
  nowMs += 1000;
  expect([breaker.isOpen, breaker.isClosed, fail(), breaker.isOpen]).toEqual([false, false, true, true]);
  nowMs += 1000;
  breaker.succeeded();
  expect([breaker.isClosed, fail(), breaker.isOpen]).toEqual([true, false, false]);
});

test('a circuit breaker never opens without a limit of failures', () => {
  const breaker = new CircuitBreaker();
  const never = { failures: 0, pauseMs: 1000 };
  for (let count = 0; count < 100; count += 1) expect(breaker.failed(never, 'late')).toBe(false);
});
