// Compares the shipped module's times with JavaScript's dates: each day up to the year 9999, each second of a
// day, and later numbers of seconds.
import { randomBytes } from 'node:crypto';
import { UnprovenClaim } from '../control.js';
import { openFunction } from '../wasm/exports.js';
import { decodeModule } from '../wasm/module.js';
import { FIRST_ITEM, ITEM_LENGTH, readLayout, USED } from './layout.js';

const DAY = 86_400;
/** 10000-01-01 00:00:00 UTC. */
const YEAR_10000 = 253_402_300_800;
const RANDOM_TIMES = 100_000;

type Write = (seconds: bigint) => string;

function instantiate(wasm: Uint8Array): Write {
  const { items, arena } = readLayout(decodeModule(wasm));
  const { memory, run: putTime } = openFunction(wasm, 'putTime');
  const view = new DataView(memory.buffer);
  const bytes = Buffer.from(memory.buffer);
  const lengthAt = items + FIRST_ITEM + ITEM_LENGTH;
  return seconds => {
    view.setInt32(items, 1, true);
    view.setInt32(items + USED, 0, true);
    view.setInt32(lengthAt, 0, true);
    putTime(seconds);
    return bytes.toString('latin1', arena, arena + view.getInt32(lengthAt, true));
  };
}

function wanted(seconds: bigint): string {
  if (seconds >= BigInt(YEAR_10000)) return `${seconds} (Unix seconds)`;
  const text = new Date(Number(seconds) * 1000).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;
}

/** Returns the number of times that were compared. Throws an UnprovenClaim at the first difference. */
export function compareTimes(wasm: Uint8Array): number {
  const write = instantiate(wasm);
  let count = 0;
  const compare = (seconds: bigint): void => {
    count++;
    const found = write(seconds);
    if (found !== wanted(seconds))
      throw new UnprovenClaim(`${seconds} seconds after 1970 are written as ${found}`);
  };
  for (let day = 0; day * DAY < YEAR_10000; day++) compare(BigInt(day * DAY + ((day * 7919) % DAY)));
  for (let second = 0; second < DAY; second++) compare(BigInt(YEAR_10000 - DAY + second));
  const random = randomBytes(8 * RANDOM_TIMES);
  for (let i = 0; i < RANDOM_TIMES; i++) compare(random.readBigUInt64LE(8 * i) >> BigInt(i % 40));
  for (const edge of [0n, BigInt(YEAR_10000) - 1n, BigInt(YEAR_10000), 2n ** 63n, 2n ** 64n - 1n])
    compare(edge);
  return count;
}

/** Constants of the calendar in putDate's code. Each of them is changed by one. */
const CALENDAR = [719468, 146097, 1460, 36524, 146096, 365, 153, 3600];

/** Yields copies of a module with one changed constant of the calendar. */
export function* changedCalendars(wasm: Uint8Array): Generator<[number: number, wasm: Uint8Array]> {
  for (const number of CALENDAR) {
    const encoded: number[] = [0x41];
    let rest = number;
    for (; rest > 63; rest >>= 7) encoded.push((rest & 127) | 128);
    encoded.push(rest);
    const copy = Buffer.from(wasm);
    const at = copy.indexOf(Buffer.from(encoded));
    if (at < 0 || copy.indexOf(Buffer.from(encoded), at + 1) >= 0) continue;
    copy[at + 1]! ^= 1;
    yield [number, copy];
  }
}
