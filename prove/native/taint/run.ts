// A session on a simulated Pico, with taint tracking of the seed. This file says which bytes are secret at
// the start, and which values become public.
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { derivePrivateKey } from '@zbc-signer/chain';
import { image, symbol } from '../../../testkit/boards/image.js';
import { PicoDriver } from '../../../testkit/boards/pico-driver.js';
import { emptyStorage } from '../../../testkit/boards/storage.js';
import { plainNonce, revealedNonce } from '../../../testkit/crypto/tweaked-nonce.js';
import { framed } from '../../../testkit/device/reports.js';
import { accounts } from '../../../testkit/repository/vectors.js';
import { keyOf, noncePointOf, revealedOf, SEEDS, sha3, signatureOf } from '../../explore/alphabet.js';
import { bytesOf, type Session } from '../../single-faults/session.js';
import type { WasmModule } from '../../wasm/module.js';
import { pageThrough, REPLY_MS, sendAll } from '../fault-scenario.js';
import { placesOf } from '../places.js';
import { Shadow } from './shadow.js';

const SRAM = 0x20000000;
const HALF = 32;
const STRETCH_MS = 5000;
const SEED = Buffer.from(SEEDS.A);
/** Layout of PBKDF2's block: SHA-512 after both pads, the last round's result, and the sum (pbkdf2.ts). */
const STRETCH = 4 * 64;
const [LAST, ROUNDS] = [2 * 64, 4 * 64];
/** Location of the keystore's sum over its state, which includes the seed (keystore.h). */
const [SEAL, SEAL_BYTES] = [16, 8];
const FINGERPRINT = 4;

const equal = (left: Uint8Array, right: Uint8Array): boolean => Buffer.compare(left, right) === 0;

/** Called for each leak, such as `branch in key, at 2001e9c6`. */
type OnLeak = (place: string) => void;

abstract class Run {
  readonly shadow: Shadow;
  /** Number of occurrences of each leak, by its location. */
  readonly leaks = new Map<string, number>();
  /** Number of bytes that became public. */
  published = 0;

  constructor(
    protected readonly driver: PicoDriver,
    onLeak: OnLeak,
  ) {
    this.shadow = new Shadow(driver.pico.chip, symbol('wasm_rt_trap'), (leak, address) => {
      const place = `${leak} in ${functionAt(address)}, at ${address.toString(16)}`;
      this.leaks.set(place, (this.leaks.get(place) ?? 0) + 1);
      onLeak(place);
    });
  }

  protected memory(at: number, length: number): Uint8Array {
    return this.driver.pico.memory(at, length);
  }

  /** Calls `act` when one of these functions returns, with the first parameter of its call. */
  protected atReturn(places: readonly number[], act: (first: number) => void): void {
    const { core } = this.driver.pico.chip;
    for (const place of places)
      this.shadow.watch(place, () => {
        const first = core.registers[0]!;
        const back = core.LR & ~1;
        this.shadow.watch(back, () => {
          this.shadow.unwatch(back);
          act(first);
        });
      });
  }

  protected publish(at: number, length: number): void {
    this.shadow.mark(at, length, false);
    this.published += length;
  }

  /** Returns whether these bytes are in memory, and all their occurrences are marked secret. */
  protected isFollowed(bytes: Uint8Array): boolean {
    const places = this.find(bytes);
    return places.length > 0 && places.every(at => this.shadow.count(at, bytes.length) === bytes.length);
  }

  protected find(bytes: Uint8Array): number[] {
    const memory = Buffer.from(this.driver.pico.chip.sram);
    const found: number[] = [];
    for (let at = memory.indexOf(bytes); at >= 0; at = memory.indexOf(bytes, at + 1)) found.push(SRAM + at);
    return found;
  }
}

/**
 * A session from an open keystore to a signature: derives accounts, reads the review, verifies the signature.
 */
export class Signing extends Run {
  readonly #publicKey = keyOf('A', 0).publicKey;
  /** The point that the reply to an approval gives if the header has a commitment. */
  readonly #r0: Buffer | undefined;
  readonly #r: Buffer;
  readonly #s: Buffer;
  readonly #secrets: ReadonlyMap<string, Uint8Array>;
  /** Values that became public. The verification computes R again from public values. */
  readonly #isPublic = new Set<Uint8Array>();

  private constructor(driver: PicoDriver, onLeak: OnLeak, signer: WasmModule, session: Session) {
    super(driver, onLeak);
    const signed = session.signed(bytesOf(session));
    const revealed = session.reveal?.command.subarray(5);
    if (revealed) this.#r0 = noncePointOf('A', 0, sha3(revealed), signed);
    const signature = revealed ? revealedOf('A', 0, signed, revealed) : signatureOf('A', 0, signed);
    [this.#r, this.#s] = [signature.subarray(0, HALF), signature.subarray(HALF)];
    this.#secrets = secretsOf(signed, revealed);
    for (const at of this.find(SEED)) this.shadow.mark(at, SEED.length, true);
    this.shadow.mark(symbol('keystore') + SEAL, SEAL_BYTES, true);
    const at = (name: string, act: (out: number) => void) =>
      this.atReturn(placesOf(signer, 'signer', name), out => act(symbol('module_memory') + out));
    // Only the public key, R and R0 are ever encoded (RFC 8032 §5.1.5 step 4, §5.1.6 step 3).
    const points = [this.#publicKey, this.#r, ...(this.#r0 ? [this.#r0] : [])];
    at('encodePoint', out => {
      if (!points.some(point => this.#publishIf(out, point)))
        throw new Error('a point is encoded that is neither the public key nor R or R0');
    });
    // S is the other half of the signature (§5.1.6 step 6); every other sum stays secret.
    at('addScalar', out => {
      if (this.#publishIf(out, this.#s)) this.#checkSecrets();
    });
  }

  static async run(signer: WasmModule, session: Session, onLeak: OnLeak): Promise<Signing> {
    const driver = await PicoDriver.open({ storage: emptyStorage(), passphrase: '' });
    const run = new Signing(driver, onLeak, signer, session);
    await run.#sign(session);
    return run;
  }

  /**
   * Number of secret bytes outside the keystore, such as on the stack, which no wiping in the module reaches.
   */
  get left(): number {
    return this.shadow.bytes - SEED.length * this.find(SEED).length - SEAL_BYTES;
  }

  #publishIf(at: number, value: Uint8Array): boolean {
    if (!equal(this.memory(at, HALF), value)) return false;
    const secret = this.shadow.count(at, HALF);
    if (secret === 0 && this.#isPublic.has(value)) return true;
    if (secret !== HALF) throw new Error('the mark of the seed was lost before the value became public');
    this.publish(at, HALF);
    this.#isPublic.add(value);
    return true;
  }

  /** When the signature is complete, each of the secrets must be in memory and marked secret. */
  #checkSecrets(): void {
    for (const [name, bytes] of this.#secrets)
      if (!this.isFollowed(bytes)) throw new Error(`${name} is not in memory, or is not marked secret`);
  }

  async #sign({ apdus, reveal }: Session): Promise<void> {
    const { driver } = this;
    const channel = await sendAll(driver, apdus);
    await pageThrough(driver);
    for (const key of ['left', 'both'] as const) {
      await driver.press(key);
      await driver.settle();
    }
    if (reveal) {
      await this.#expect(this.#r0!);
      for (const report of framed(channel, reveal.command)) await driver.write(0, report);
      await driver.settle();
    }
    await this.#expect(this.#r);
  }

  async #expect(point: Buffer): Promise<void> {
    const report = await this.driver.read(0, REPLY_MS);
    if (!report || !Buffer.from(report).includes(point)) throw new Error('the image does not sign');
  }
}

/** Intermediate values between the seed and a signature. */
function secretsOf(signed: Uint8Array, revealed: Uint8Array | undefined): Map<string, Uint8Array> {
  const key = derivePrivateKey(SEEDS.A, 0);
  const prefix = createHash('sha512').update(key).digest().subarray(HALF);
  return new Map([
    ['the private key', key],
    ["the nonce's prefix", prefix],
    ['the nonce', revealed ? revealedNonce(key, signed, revealed) : plainNonce(key, signed)],
  ]);
}

/** A session from the first round of PBKDF2, after the words were entered, to the fingerprint. */
export class Stretching extends Run {
  #block = 0;

  private constructor(driver: PicoDriver, onLeak: OnLeak, keystore: WasmModule) {
    super(driver, onLeak);
    const key = accounts.mnemonic;
    const first = createHmac('sha512', key)
      .update('mnemonic')
      .update(Buffer.from([0, 0, 0, 1]))
      .digest();
    for (const place of placesOf(keystore, 'keystore', 'continuePbkdf2'))
      this.shadow.watch(place, () => {
        if (this.#block === 0) this.#begin(first);
      });
    const tagged = createHash('sha256').update('ZBC-SEED-FINGERPRINT').update(SEED).digest();
    // The fingerprint is public, because the user compares it (docs/KEYSTORE.md#passphrase).
    this.atReturn(placesOf(keystore, 'keystore', 'sha256Final'), () => {
      for (const at of this.find(tagged)) {
        if (!this.isFollowed(SEED) || this.shadow.count(at, tagged.length) !== tagged.length)
          throw new Error('the seed is not in memory, or is not marked secret');
        this.publish(at, FINGERPRINT);
      }
    });
  }

  /**
   * Finds the block, in which the result of the first round occurs twice: as the last result and as the sum.
   */
  #begin(first: Uint8Array): void {
    const [last = 0, sum, ...more] = this.find(first);
    if (sum !== last + first.length || more.length > 0) throw new Error('the block of PBKDF2 was not found');
    this.#block = last - LAST;
    this.shadow.mark(this.#block, STRETCH, true);
  }

  get rounds(): number {
    return this.#block === 0 ? 0 : Buffer.from(this.memory(this.#block + ROUNDS, 4)).readUInt32LE();
  }

  /** Runs at least this many rounds, or all if `rounds` is undefined. */
  static async run(keystore: WasmModule, rounds: number | undefined, onLeak: OnLeak): Promise<Stretching> {
    const driver = await PicoDriver.open({ storage: emptyStorage(), passphrase: null });
    await driver.settle();
    driver.pico.enterWords();
    const run = new Stretching(driver, onLeak, keystore);
    await driver.press('left');
    const isDone = () => (rounds === undefined ? run.published > 0 : run.rounds >= rounds);
    if (!driver.pico.run(STRETCH_MS, isDone)) throw new Error('the seed was not derived in time');
    if (rounds === undefined) await driver.settle();
    else if (run.shadow.count(run.#block, STRETCH) !== STRETCH)
      throw new Error('the block of PBKDF2 is not marked secret');
    return run;
  }
}

const functions = [
  ...readFileSync(join(image.directory, 'zbc-signer.sym'), 'utf8').matchAll(/^(\w+) t (\S+)$/gim),
]
  .map(([, address, name]) => ({ start: Number.parseInt(address!, 16) & ~1, name: name! }))
  .sort((a, b) => a.start - b.start);

function functionAt(address: number): string {
  return functions.findLast(({ start }) => start <= address)?.name ?? 'nothing';
}
