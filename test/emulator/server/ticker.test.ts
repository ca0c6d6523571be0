import { jest } from '@jest/globals';
import { Emulator } from '@zbc-signer/emulator';
import { Ticker } from '#emulator/server/ticker.js';

const TICK_MS = 100;

let emulator: Emulator;
let ticker: Ticker;
let expired: number;

beforeEach(async () => {
  emulator = await Emulator.start();
  ticker = new Ticker(emulator);
  expired = 0;
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
});

afterEach(() => {
  emulator.stop();
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

const limit = (ticks: number) =>
  ticker.limit(ticks, () => {
    expired++;
  });

test('the ticker expires a limit in the tick after its last tick', () => {
  limit(10);
  jest.advanceTimersByTime(10 * TICK_MS);
  expect(expired).toBe(0);
  jest.advanceTimersByTime(TICK_MS);
  expect(expired).toBe(1);
});

test('the ticker never expires a limit of 0, nor a limit that was released', () => {
  limit(0);
  limit(1)();
  jest.advanceTimersByTime(100 * TICK_MS);
  expect(expired).toBe(0);
});

test('the ticker, while paused, ticks only in single steps, and continues afterwards', async () => {
  limit(2);
  ticker.paused = true;
  jest.advanceTimersByTime(100 * TICK_MS);
  const step = ticker.step();
  jest.advanceTimersByTime(TICK_MS);
  await step;
  expect(expired).toBe(0);
  ticker.paused = false;
  jest.advanceTimersByTime(2 * TICK_MS);
  expect(expired).toBe(1);
});

test('the ticker ends a step after a tick, and not before', async () => {
  let ended = false;
  const step = ticker.step().then(() => {
    ended = true;
  });
  await jest.advanceTimersByTimeAsync(TICK_MS - 1);
  expect(ended).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  await step;
});

test('the ticker ends a step at once when the screen changes', async () => {
  const step = ticker.step();
  emulator.press('right');
  await step;
});

test('the ticker ends steps and limits when the emulator is stopped', async () => {
  limit(1);
  const step = ticker.step();
  emulator.stop();
  await step;
  jest.advanceTimersByTime(100 * TICK_MS);
  expect(expired).toBe(0);
});
