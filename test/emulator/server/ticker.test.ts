/** @jest-environment node */
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

it('expires a limit in the tick after the last one it has', () => {
  limit(10);
  jest.advanceTimersByTime(10 * TICK_MS);
  expect(expired).toBe(0);
  jest.advanceTimersByTime(TICK_MS);
  expect(expired).toBe(1);
});

it('never expires a limit of 0, nor one that was released', () => {
  limit(0);
  limit(1)();
  jest.advanceTimersByTime(100 * TICK_MS);
  expect(expired).toBe(0);
});

it('lets no tick pass while it is paused, but for steps, and goes on afterwards', async () => {
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

it('ends a step after a tick, and not before', async () => {
  let ended = false;
  const step = ticker.step().then(() => {
    ended = true;
  });
  await jest.advanceTimersByTimeAsync(TICK_MS - 1);
  expect(ended).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  await step;
});

it('ends a step at once when the screen changes', async () => {
  const step = ticker.step();
  emulator.press('right');
  await step;
});

it('ends steps and limits when the emulator is stopped', async () => {
  limit(1);
  const step = ticker.step();
  emulator.stop();
  await step;
  jest.advanceTimersByTime(100 * TICK_MS);
  expect(expired).toBe(0);
});
