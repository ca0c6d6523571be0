// Proves the shipped hash functions and key derivation against the standards: the compression functions for
// all states and blocks, and all other code for all messages with any compression function.
import { UnprovenClaim } from '../control.js';
import { range } from '../symbolic/run.js';
import { withSolver } from '../symbolic/solver.js';
import { Machine } from '../wasm/machine.js';
import { functionIndex, numbersIn, type WasmModule } from '../wasm/module.js';
import { type Place, readable, writable } from '../wasm/places.js';
import { AbsorbingProof } from './absorbing.js';
import { bigEndian, compress, keccak, pbkdf2, SHA512, slip10 } from './standards.js';
import { type Word, Words } from './word.js';
import { WordDomain } from './word-domain.js';

/** Address of the proofs' messages, after all memory that the module uses. */
const MESSAGE = 60_000;

/** Offsets in the scratch memory (firmware/assembly/crypto/scratch.ts). */
const BLOCK = 64;
const SCHEDULE = 200;
const SCHEDULE_SIZE = 640;
const SCRATCH_SIZE = 2440;
const SEED_SIZE = 64;

/** Size of the block of PBKDF2, and the offset of its sum (firmware/assembly/crypto/pbkdf2.ts). */
const PBKDF2_SIZE = 264;
const SUM = 192;
/** The lengths of passwords, from a PIN to 24 words of 8 letters; and of salts, from the tag of BIP-39 alone. */
const [SHORTEST, LONGEST_PHRASE, SALT_TAG, LONGEST_SALT] = [6, 24 * 9 - 1, 8, 8 + 64] as const;

interface Layout {
  scratch: number;
  sponge: number;
  seed: number;
  key: number;
  constants: Place[];
}

interface HashTally {
  passes: number;
  accesses: number;
}

export function readLayout(module: WasmModule): Layout {
  const [scratch, initial] = numbersIn(module, 'sha512/sha512');
  const [sponge] = numbersIn(module, 'permuteKeccak');
  const [seed, , master, masterLength] = numbersIn(module, 'openKey');
  const key = numbersIn(module, 'openKey').find((_, i, all) => all[i + 2] === 32)!;
  const { code } = module.functions[functionIndex(module, 'permuteKeccak')]!;
  const tableAt = code.findIndex(({ op }, at) => op === 'i64.load' && code[at - 1]!.op === 'i32.add');
  const rounds = Number(code.slice(0, tableAt).findLast(({ op }) => op === 'i32.const')!.value);
  const table = numbersIn(module, 'runSha512Rounds').find(value => value > scratch! + SCRATCH_SIZE)!;
  return {
    scratch: scratch!,
    sponge: sponge!,
    seed: seed!,
    key,
    constants: [
      readable(initial!, 64),
      readable(table, 640),
      readable(rounds, 192),
      readable(master!, masterLength!),
    ],
  };
}

function requireEqual(found: readonly Word[], wanted: readonly Word[], what: string): void {
  const at = wanted.findIndex((each, i) => each.text !== found[i]!.text);
  if (at >= 0) throw new UnprovenClaim(`${what}: word or byte ${at} is wrong`);
}

export class HashProof {
  readonly tally: HashTally = { passes: 0, accesses: 0 };
  readonly #module: WasmModule;

  /** The module of the signer, or of the keystore for provePbkdf2. */
  constructor(module: WasmModule) {
    this.#module = module;
  }

  get #layout(): Layout {
    return readLayout(this.#module);
  }

  /** Proves hashBlock (FIPS 180-4 §6.4.2) for all states and blocks. */
  proveSha512Block(): void {
    const { scratch, constants } = this.#layout;
    const words = new Words();
    const domain = this.#domain(words, [
      ...constants,
      writable(scratch, BLOCK),
      writable(scratch + SCHEDULE, SCHEDULE_SIZE),
      readable(MESSAGE, 128),
    ]);
    const state = range(8).map(i => words.symbol(`s${i}`));
    domain.putAll(scratch, 8, state);
    const bytes = this.#message(words, domain, 128);
    this.#run(domain, 'hashBlock', [words.constant(BigInt(MESSAGE))]);
    const block = range(16).map(i => bigEndian(words, bytes.slice(8 * i, 8 * i + 8)));
    const found = range(8).map(i => domain.peek(scratch + 8 * i, 8));
    const wanted = compress(SHA512, words, state, block);
    // In memory, a symbol represents each sum. A shift by 0 gives the same symbol.
    requireEqual(
      found,
      wanted.map(each => words.shift(each, 0n)),
      'the compression function of SHA-512',
    );
  }

  /** Proves permuteKeccak (FIPS 202 §3.3) for all states. */
  proveKeccak(): void {
    const { sponge, constants } = this.#layout;
    const words = new Words();
    const domain = this.#domain(words, [...constants, writable(sponge, 200)]);
    const state = range(25).map(i => words.symbol(`a${i}`));
    domain.putAll(sponge, 8, state);
    domain.onDecide = () => words.collapse();
    this.#run(domain, 'permuteKeccak', []);
    const found = range(25).map(i => domain.peek(sponge + 8 * i, 8));
    const wanted = keccak(
      words,
      range(25).map(i => words.symbol(`a${i}`)),
      () => words.collapse(),
    );
    words.collapse();
    requireEqual(found, wanted, 'the permutation of SHA-3');
  }

  /** Proves blocks and padding of SHA-512 for all messages, with any compression function. */
  proveSha512(): void {
    this.#absorb(proof => proof.proveSha512(this.#layout.scratch));
  }

  /** Proves blocks and padding of SHA3-256 for all messages, with any permutation. */
  proveSha3(): void {
    this.#absorb(proof => proof.proveSha3(this.#layout.sponge));
  }

  #absorb(prove: (proof: AbsorbingProof) => void): void {
    withSolver(solver => {
      const proof = new AbsorbingProof(this.#module, solver);
      prove(proof);
      this.tally.passes += proof.passes;
      this.tally.accesses += proof.accesses;
    });
  }

  /** Proves openKey: SLIP-0010 from any seed, for any index below 2^31. No byte of the seed remains. */
  proveDerivation(): void {
    const { scratch, seed, key, constants } = this.#layout;
    const words = new Words();
    const domain = this.#domain(words, [
      ...constants,
      writable(scratch, SCRATCH_SIZE),
      writable(seed, SEED_SIZE),
      writable(key, 32),
    ]);
    const bytes = range(SEED_SIZE).map(i => words.symbol(`seed${i}`, 0xffn));
    domain.stubs.set(this.#seedIndex(), ([out]) => {
      domain.putAll(out!, 1, bytes);
      return [words.constant(1n)];
    });
    this.#stubBlock(words, domain, scratch);
    const index = words.symbol('index', 0x7fffffffn);
    this.#run(domain, 'openKey', [index]);
    const hardened = words.xor(index, words.constant(0x80000000n));
    const indexBytes = range(4).map(i =>
      words.and(words.shift(hardened, BigInt(8 * i - 24)), words.constant(0xffn)),
    );
    const wanted = slip10(words, bytes, indexBytes, this.#anyCompression(words));
    requireEqual(
      range(32).map(i => domain.peek(key + i, 1)),
      wanted,
      'the derived key',
    );
    const zero = words.constant(0n);
    for (const [start, size] of [
      [seed, SEED_SIZE],
      [scratch, SCRATCH_SIZE],
    ] as const)
      requireEqual(
        range(size).map(i => domain.peek(start + i, 1)),
        range(size).map(() => zero),
        'the wiped memory',
      );
  }

  /**
   * Proves beginPbkdf2 and continuePbkdf2 in two rounds, for all phrases and PINs and all passphrases and
   * salts of vault records, with any compression function.
   */
  provePbkdf2(): void {
    for (let length = SHORTEST; length <= LONGEST_PHRASE; length++) this.#provePbkdf2(length, SALT_TAG);
    for (let salt = SALT_TAG; salt <= LONGEST_SALT; salt++) this.#provePbkdf2(LONGEST_PHRASE, salt);
  }

  #provePbkdf2(length: number, saltLength: number): void {
    const [block] = numbersIn(this.#module, 'continuePbkdf2') as [number];
    const [scratch] = numbersIn(this.#module, 'sha512After') as [number];
    const initial = numbersIn(this.#module, 'keepPadded').find(value => value > scratch + SCRATCH_SIZE - 1)!;
    const salt = MESSAGE + LONGEST_PHRASE;
    const words = new Words();
    const domain = this.#domain(words, [
      readable(initial, 64),
      writable(scratch, SCRATCH_SIZE),
      writable(block, PBKDF2_SIZE),
      readable(MESSAGE, length),
      writable(salt, saltLength + 4),
    ]);
    const password = this.#message(words, domain, length);
    const salted = range(saltLength).map(i => words.symbol(`salt${i}`, 0xffn));
    domain.putAll(salt, 1, salted);
    this.#stubBlock(words, domain, scratch);
    const fixed = (...values: number[]) => values.map(value => words.constant(BigInt(value)));
    this.#run(domain, 'beginPbkdf2', fixed(MESSAGE, length, salt, saltLength));
    this.#run(domain, 'continuePbkdf2', fixed(1));
    const found = range(64).map(i => domain.peek(block + SUM + i, 1));
    const wanted = pbkdf2(words, password, salted, 2, this.#anyCompression(words));
    requireEqual(found, wanted, `PBKDF2 of ${length} and ${saltLength} bytes`);
  }

  #seedIndex(): number {
    return this.#module.functions.findIndex(({ name }) => name === 'hal.seed');
  }

  #anyCompression(words: Words) {
    return (state: readonly Word[], block: readonly Word[]) =>
      range(8).map(i => words.image(`c${i}`, [...state, ...block]));
  }

  /** Replaces hashBlock by an arbitrary function of its state and block. */
  #stubBlock(words: Words, domain: WordDomain, scratch: number): void {
    domain.stubs.set(functionIndex(this.#module, 'sha512/hashBlock'), ([at]) => {
      const state = range(8).map(i => domain.read(scratch + 8 * i, 8));
      const byte = (i: number) => domain.read(at! + i, 1);
      const block = range(16).map(i =>
        bigEndian(
          words,
          range(8).map(j => byte(8 * i + j)),
        ),
      );
      domain.putAll(scratch, 8, this.#anyCompression(words)(state, block));
      return [];
    });
  }

  #message(words: Words, domain: WordDomain, length: number): Word[] {
    const bytes = range(length).map(i => words.symbol(`m${i}`, 0xffn));
    domain.putAll(MESSAGE, 1, bytes);
    return bytes;
  }

  #domain(words: Words, places: readonly Place[]): WordDomain {
    return new WordDomain(this.#module, words, places);
  }

  #run(domain: WordDomain, name: string, parameters: Word[]): void {
    new Machine(this.#module, domain).call(functionIndex(this.#module, name), parameters);
    this.tally.accesses += domain.accesses;
    domain.accesses = 0;
  }
}
