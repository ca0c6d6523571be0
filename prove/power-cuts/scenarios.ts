import { findBoard } from '@zbc-signer/image';
import { imageOf } from '../../testkit/boards/slot-image.js';
import { privateKeyObject } from '../../testkit/crypto/openssl.js';

const { flashBytes, sectorBytes, slots } = findBoard('pico')!;
const { installed, staged } = slots!;
const COUNTERS = [flashBytes - 5 * sectorBytes, flashBytes - 4 * sectorBytes] as const;
const PAGE = 256;
/** A key that the loader does not accept. */
const STRANGER = privateKeyObject(Buffer.alloc(32, 7));

/**
 * A flash, and the images that may start: `old` at first, and `last` in the end. If neither is given, no
 * image may start.
 */
export interface Scenario {
  name: string;
  flash: Uint8Array;
  old?: Uint8Array;
  last?: Uint8Array;
  /** An image that must never start, because its counter is lower than a counter in the flash. */
  older?: Uint8Array;
  depth: 1 | 2;
}

/** Returns a record of the counter sectors (firmware/boards/loader/counter.c), from its description. */
function counterRecord(counter: number): Uint8Array {
  const record = Buffer.alloc(12);
  record.write('ZBCc', 'latin1');
  record.writeUInt32LE(counter, 4);
  record.writeUInt32LE(crc32(record.subarray(0, 8)), 8);
  return record;
}

/** Returns an incomplete record. */
function damaged(): Uint8Array {
  return changed(counterRecord(9), 5);
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

interface Contents {
  installed?: Uint8Array;
  staged?: Uint8Array;
  /** Counters in the pages of both sectors. */
  counters?: readonly (readonly number[])[];
}

/** Returns a flash with a seed and settings, and a program in place of the loader. */
function flashOf(contents: Contents): Uint8Array {
  const flash = new Uint8Array(flashBytes).fill(0xff);
  flash.fill(0x11, 0, installed);
  for (let at = flashBytes - 3 * sectorBytes; at < flashBytes; at++) flash[at] = (at * 7) & 0xff;
  if (contents.installed) flash.set(contents.installed, installed);
  if (contents.staged) flash.set(contents.staged, staged);
  contents.counters?.forEach((counters, sector) => {
    counters.forEach((counter, index) => {
      flash.set(counterRecord(counter), COUNTERS[sector]! + index * PAGE);
    });
  });
  return flash;
}

const imageBelow = (counters: readonly number[]) =>
  imageOf({ counter: Math.max(...counters) - 1, revision: 99 });

const changed = (image: Uint8Array, at: number, bit = 1) => image.with(at, image[at]! ^ bit);

/** Updates, valid and invalid. `real` is the signed firmware's size. */
export function scenarios(real: number): Scenario[] {
  const old = imageOf({ counter: 1 });
  const next = imageOf({ counter: 2, revision: 1 });
  const [whole, wholeNext] = [1, 2].map(counter => imageOf({ counter, revision: counter, bytes: real }));
  const fifteen = Array.from({ length: 15 }, (_, index) => index + 1);
  const updates: Scenario[] = [
    {
      name: 'an image of real size',
      flash: flashOf({ installed: whole!, staged: wholeNext! }),
      old: whole!,
      last: wholeNext!,
      depth: 1,
    },
    {
      name: 'two cuts in a row',
      flash: flashOf({ installed: old, staged: next, counters: [[1]] }),
      old,
      last: next,
      depth: 2,
    },
  ];
  const update = (name: string, contents: Contents, before: Uint8Array | undefined, last: Uint8Array) =>
    updates.push({
      name,
      flash: flashOf(contents),
      ...(before && { old: before }),
      last,
      ...(contents.counters && { older: imageBelow(contents.counters.flat()) }),
      depth: 2,
    });
  const sameCounter = imageOf({ counter: 1, revision: 3 });
  update(
    'the same counter, a later version',
    { installed: old, staged: sameCounter, counters: [[1]] },
    old,
    sameCounter,
  );
  update('the first start', { installed: old }, undefined, old);
  update('an update into an empty slot', { staged: next, counters: [[1]] }, undefined, next);
  update('a damaged image, and an update', { installed: changed(old, 4500), staged: next }, undefined, next);
  const promoted = imageOf({ counter: 2 });
  update(
    'a higher counter, an older version',
    { installed: sameCounter, staged: promoted, counters: [[1]] },
    sameCounter,
    promoted,
  );
  const late = imageOf({ counter: 17, revision: 1 });
  const sixteenth = imageOf({ counter: 16 });
  update(
    'a full sector of counters',
    { installed: sixteenth, staged: late, counters: [[...fifteen, 16]] },
    sixteenth,
    late,
  );
  const last = imageOf({ counter: 33 });
  const later = imageOf({ counter: 34, revision: 1 });
  const second = [...fifteen, 16].map(counter => counter + 17);
  update(
    'two full sectors of counters',
    { installed: last, staged: later, counters: [[...fifteen, 17], second] },
    last,
    later,
  );
  const torn = flashOf({ installed: old, staged: next, counters: [[1]] });
  torn.set(damaged(), COUNTERS[0] + PAGE);
  updates.push({ name: 'a partly written counter', flash: torn, old, last: next, depth: 1 });
  const leftover = flashOf({ installed: old, staged: next, counters: [[1]] });
  leftover.fill(0xa5, installed + old.length, staged);
  updates.push({
    name: 'a slot with other bytes after its image',
    flash: leftover,
    old,
    last: next,
    depth: 1,
  });
  return [...updates, ...refused(old, next)];
}

function refused(old: Uint8Array, next: Uint8Array): Scenario[] {
  const found: Scenario[] = [];
  const stays = (name: string, bad: Uint8Array, counters = [[1]], own = old) =>
    found.push({ name, flash: flashOf({ installed: own, staged: bad, counters }), last: own, depth: 1 });
  const waits = (name: string, contents: Contents) =>
    found.push({ name, flash: flashOf(contents), depth: 1 });
  const signatureAt = next.length - 64;
  stays('no staged image', new Uint8Array(0));
  stays('an update with a changed payload', changed(next, 4000));
  stays('an update with a changed header', changed(next, 24));
  stays('an update with a changed FF byte in its header', changed(next, 100));
  stays('an update with a changed counter', changed(next, next.length - 144 - 4, 4));
  stays('an update with a changed digest', changed(next, next.length - 144 + 8));
  stays('an update with a changed signature', changed(next, signatureAt + 40));
  stays('an update with a changed R', changed(next, signatureAt + 3));
  stays('an update signed with another key', imageOf({ counter: 2, revision: 1, key: STRANGER }));
  stays('an update that names a key that did not sign it', foreign(next));
  stays(
    'an incomplete update',
    Buffer.concat([next.subarray(0, 4000), Buffer.alloc(next.length - 4000, 0xff)]),
  );
  const installed3 = imageOf({ counter: 3 });
  stays('an update with an older counter', imageOf({ counter: 2, revision: 9 }), [[1, 3]], installed3);
  stays('an older version of the same counter', old, [[1]], imageOf({ counter: 1, revision: 4 }));
  stays('the same image again', old);
  stays('an update that is linked for another place', imageOf({ counter: 2, revision: 1, reset: 0x40001 }));
  stays('an update that starts at an even address', imageOf({ counter: 2, revision: 1, reset: 0x100 }));
  for (const length of [0, 4, 4402, 0x3ff00, 0xfffffff0]) {
    const bad = Buffer.from(next);
    bad.writeUInt32LE(length, 12);
    stays(`an update whose header gives a length of ${length} bytes`, bad);
  }
  waits('an image with an older counter', { installed: old, counters: [[2]] });
  waits('an image with an older counter, twice', { installed: old, staged: old, counters: [[], [2]] });
  const behind = flashOf({ installed: old, counters: [[2]] });
  behind.set(damaged(), COUNTERS[0] + PAGE);
  found.push({
    name: 'an image with an older counter, and a partly written counter',
    flash: behind,
    depth: 1,
  });
  waits('only a changed image', { installed: changed(old, 300) });
  waits('an image signed with another key', { installed: imageOf({ counter: 1, key: STRANGER }) });
  waits('an empty flash', {});
  return found;
}

/** Returns an image that is signed with another key, but names the correct key. */
function foreign(image: Uint8Array): Uint8Array {
  const other = imageOf({ counter: 2, revision: 1, key: STRANGER });
  return Buffer.concat([image.subarray(0, -64), other.subarray(-64)]);
}
