// noise MODULE: proves that a source that fails at any moment, or gives bytes that cannot have the claimed
// entropy, gives no seed. --control MODULE…: checks modules with a planted fault, each of which must be
// found.
import { createHash } from 'node:crypto';
import { runProofs, UnprovenClaim } from '../control.js';
import { openWithGlobals } from '../wasm/exports.js';
import { STATIC } from './layout.js';
import { BOTH, HAS_VAULT, LEFT, Machine, RIGHT, stream } from './machine.js';

const RAW = 1024;
const PIECES = 16;
const WINDOW = 512;
const DONE = 1;
const NOT_YET = 2;
/** Representatives of all answers except "done" and "not yet". */
const FAILURES = [
  0,
  -1,
  3,
  4,
  255,
  256,
  257,
  258,
  ...Array.from({ length: 22 }, (_, i) => 1 << (i + 9)),
  -(2 ** 31),
];
/** Presses from the start to the device's part of a new seed, and to the PIN of a locked keystore. */
const SEED = [RIGHT, BOTH, LEFT, LEFT];
const PIN = [RIGHT, BOTH];
/** More answers "not yet" than a source may give in a row (docs/KEYSTORE.md#platform). */
const SILENT = Array.from({ length: 501 }, () => NOT_YET);
const CLAIMS = [1, 2, 3, 4, 5, 6, 7, 8];

/** SP 800-90B §4.4.2: 1 + the critical value of the binomial distribution. */
function proportionCutoff(claim: number): number {
  const share = 2 ** -claim;
  const logs = [0];
  for (let i = 1; i <= WINDOW; i++) logs.push(logs[i - 1]! + Math.log(i));
  let tail = 0;
  for (let k = WINDOW; k > 0; k--) {
    const ways = logs[WINDOW]! - logs[k]! - logs[WINDOW - k]!;
    tail += Math.exp(ways + k * Math.log(share) + (WINDOW - k) * Math.log1p(-share));
    if (tail > 2 ** -20) return k + 1;
  }
  return 1;
}

const CUTOFFS = CLAIMS.map(proportionCutoff);

/** Returns whether noise passes both tests (docs/KEYSTORE.md#a-new-seed). */
function passes(noise: Uint8Array, claim: number): boolean {
  let run = 0;
  for (const [i, byte] of noise.entries()) {
    run = i > 0 && byte === noise[i - 1] ? run + 1 : 1;
    if (run > Math.ceil(20 / claim)) return false;
  }
  return [0, WINDOW].every(at => {
    const window = noise.subarray(at, at + WINDOW);
    return window.filter(byte => byte === window[0]).length < CUTOFFS[claim - 1]!;
  });
}

/** A board whose source gives chosen answers. */
class Source extends Machine {
  begin(claim: number, path = SEED): void {
    if (path === PIN) this.vault = { ...this.vault, record: Uint8Array.of(1, ...new Uint8Array(81)) };
    this.boot(1 | (claim << 8) | (path === PIN ? HAS_VAULT : 0));
    for (const button of path) this.press(button);
  }
}

const isFailure = (texts: string[]) => texts.join() === 'Noise source,has failed';

/**
 * Proves that a failure at any of 16 pieces, immediate, after waiting or without an answer, leaves no data, for
 * a seed and for a PIN.
 */
function proveFailures(prepared: WebAssembly.Module): string {
  let tried = 0;
  for (const path of [SEED, PIN]) {
    let left: Uint8Array | undefined;
    for (let piece = 0; piece < PIECES; piece++)
      for (const failing of [...FAILURES.flatMap(each => [[each], [NOT_YET, NOT_YET, each]]), SILENT]) {
        const answers = [...Array.from({ length: piece }, () => DONE), ...failing];
        const machine = new Source(prepared, stream('failing', 2 * RAW), { answers });
        machine.begin(8, path);
        if (!isFailure(machine.texts))
          throw new UnprovenClaim(
            `the screen shows ${machine.texts.join(' / ')} after answer ${failing.at(-1)} to piece ${piece}`,
          );
        const memory = machine.memory.slice(0, STATIC);
        left ??= memory;
        if (Buffer.compare(left, memory) !== 0)
          throw new UnprovenClaim(`a failure at piece ${piece} leaves data in memory`);
        tried++;
      }
  }
  return `${tried} failures, at all pieces, leave no noise, no seed and no PIN page`;
}

/**
 * Tries sources whose longest run, or whose count of one value in a window, is around a cut-off. Also tries
 * random sources close to the cut-offs.
 */
function proveTests(prepared: WebAssembly.Module): string {
  let refused = 0;
  let passed = 0;
  const judge = (noise: Uint8Array, claim: number) => {
    const machine = new Source(prepared, noise);
    machine.begin(claim);
    const isTaken = machine.texts[0] === "Device's part";
    if (isTaken !== passes(noise, claim))
      throw new UnprovenClaim(
        `noise is wrongly ${isTaken ? 'accepted' : 'refused'} at a claim of ${claim} bits`,
      );
    if (!isTaken && !isFailure(machine.texts))
      throw new UnprovenClaim(`the screen shows ${machine.texts.join(' / ')}`);
    const asking = new Source(prepared, noise);
    asking.begin(claim, PIN);
    if (isTaken ? asking.texts[0] !== 'PIN 1 of 6' : !isFailure(asking.texts))
      throw new UnprovenClaim(`for a PIN, the screen shows ${asking.texts.join(' / ')}`);
    if (isTaken) passed++;
    else refused++;
  };
  const base = Uint8Array.from({ length: RAW }, (_, i) => 1 + ((i * 97) % 251));
  for (const claim of CLAIMS) {
    const cutoff = Math.ceil(20 / claim) + 1;
    for (const length of [cutoff - 1, cutoff])
      for (const at of [0, 1, 255, 511 - length, 512 - cutoff + 1, 511, 512, RAW - length]) {
        const noise = base.slice();
        noise.fill(0, at, at + length);
        judge(noise, claim);
      }
    for (const window of [0, WINDOW])
      for (const count of [CUTOFFS[claim - 1]! - 1, CUTOFFS[claim - 1]!])
        for (let variant = 0; variant < 4; variant++) judge(withShare(base, window, count, variant), claim);
  }
  const random = stream('noise of all kinds', 400 * RAW);
  for (let i = 0; i < 400; i++) {
    const claim = 1 + (i % 8);
    // Noise with fewer different values than claimed comes close to the cut-offs.
    const mask = (1 << Math.max(1, claim - (i % 3 === 0 ? 1 : 0))) - 1;
    judge(
      random.subarray(i * RAW, (i + 1) * RAW).map(byte => byte & mask),
      claim,
    );
  }
  return `${refused + passed} sources around the cut-offs of eight claims: ${refused} are refused, ${passed} pass, as SP 800-90B requires`;
}

/** Noise with a window in which the first byte occurs this often, but not twice in a row if possible. */
function withShare(base: Uint8Array, window: number, count: number, variant: number): Uint8Array {
  const noise = base.slice();
  noise[window] = 0;
  for (let k = 1; k < count; k++) {
    const step = Math.floor((WINDOW - 1) / count);
    noise[window + Math.min(WINDOW - 1, k * step + (k % (variant + 1) === 0 && step > 1 ? 1 : 0))] = 0;
  }
  return noise;
}

/** Proves that each bit of 1,024 bytes changes the device's part, which is the SHA-256 hash of the bytes. */
function proveBits(prepared: WebAssembly.Module): string {
  const good = stream('good', RAW);
  const parts = new Set<string>();
  const seen = new Set<string>();
  const part = (noise: Uint8Array) => {
    const machine = new Source(prepared, noise);
    machine.begin(8);
    const found = machine.texts.slice(1).join('');
    if (found !== createHash('sha256').update(noise).digest('hex'))
      throw new UnprovenClaim(`a device's part is ${found}`);
    parts.add(found);
    for (const [i, digit] of [...found].entries()) seen.add(`${i}${digit}`);
  };
  part(good);
  for (let bit = 0; bit < 8 * RAW; bit++) {
    const noise = good.slice();
    noise[bit >> 3]! ^= 1 << (bit & 7);
    if (passes(noise, 8)) part(noise);
  }
  if (seen.size !== 16 * 64) throw new UnprovenClaim('a digit was never written at a place');
  return `${parts.size - 1} flipped bits of noise each give another device's part, which is the SHA-256 hash of the bytes`;
}

const PROOFS = [proveFailures, proveTests, proveBits];

await runProofs(path => {
  const prepared = openWithGlobals(path).compiled;
  return PROOFS.map(proof => () => proof(prepared));
});
