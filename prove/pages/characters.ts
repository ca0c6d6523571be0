// Proves the hexadecimal digits and the addresses of the shipped module for all bytes: each character is the
// right function of the bits that it encodes.
import { ADDRESS_LENGTH, HASH_LENGTH, PUBLIC_KEY_LENGTH } from '@zbc-signer/protocol/limits';
import { ARENA_SIZE, FIRST_ITEM, ITEM_SIZE, readLayout as readAmounts } from '../amounts/layout.js';
import { UnprovenClaim } from '../control.js';
import { readLayout as readParser, SPONGE_LENGTH } from '../symbolic/layout.js';
import { Machine } from '../wasm/machine.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import { writable } from '../wasm/places.js';
import { ITEM } from './layout.js';
import { PictureDomain } from './picture-domain.js';
import { type Bit, Bits, isNumber, type Word } from './word.js';

const HEXADECIMAL = '0123456789abcdef';
/** RFC 4648 §6. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const NAME = 'ZBC';
/** Global 0 is the filled length of SHA-3's block. */
const ABSORBED = 0;
const CHECKSUM = 3;
const GROUP = 8;
const INPUT_LENGTH = 40;
/** Offsets within the list of items. */
const COUNT = 0;
const USED = 4;
const OVERFLOWED = 8;
/** Address of the proof's output. */
const OUT = 64_000;

/** Requires the character that these bits encode; the first bit is the highest. */
function requireDigit(found: Word, bits: readonly Bit[], alphabet: string, what: string): void {
  const sorted = [...bits].sort((a, b) => a - b);
  const isTable = !isNumber(found) && found.kind === 'table' && `${found.of}` === `${sorted}`;
  const isSame =
    isTable &&
    found.values.every((each, setting) => {
      const value = bits.reduce((sum, bit) => 2 * sum + ((setting >> sorted.indexOf(bit)) & 1), 0);
      return each === alphabet.charCodeAt(value);
    });
  if (!isSame) throw new UnprovenClaim(`${what} is wrong`);
}

export class Characters {
  accesses = 0;
  readonly #module: WasmModule;
  readonly #bits = new Bits();

  constructor(module: WasmModule) {
    this.#module = module;
  }

  #bit(byte: number, bit: number): Bit {
    return this.#bits.bit(`byte ${byte} bit ${bit}`);
  }

  #byte(index: number): Word {
    const bits = Array.from({ length: 8 }, (_, i) => this.#bit(index, i));
    return { kind: 'bits', bits: [...bits, ...Array<Bit>(24).fill(0)] };
  }

  #run(
    domain: PictureDomain,
    name: string,
    parameters: Word[],
    machine = new Machine<Word>(this.#module, domain),
  ): void {
    machine.call(functionIndex(this.#module, name), parameters);
    this.accesses += domain.accesses;
  }

  #reads(domain: PictureDomain, name: string, length: number): void {
    domain.at = at => {
      if (at.name !== name || at.plus < 0 || at.plus >= length)
        throw new UnprovenClaim(`a load at offset ${at.plus} is outside the input`);
      return this.#byte(at.plus);
    };
  }

  /** Proves the hex digits of values of up to 32 bytes, with room for all, half or none of the digits. */
  proveHexadecimal(): void {
    const { items, arena } = readAmounts(this.#module);
    for (let length = 0; length <= PUBLIC_KEY_LENGTH; length++)
      for (const room of [ARENA_SIZE, length, 0]) {
        const used = ARENA_SIZE - Math.min(room, ARENA_SIZE);
        const item = items + FIRST_ITEM;
        const domain = new PictureDomain(
          this.#module,
          [writable(items, FIRST_ITEM), writable(item, ITEM_SIZE), writable(arena, ARENA_SIZE)],
          this.#bits,
        );
        for (const [at, value] of [
          [items + COUNT, 1],
          [items + USED, used],
          [item + ITEM.length, 0],
          [item + ITEM.title, OUT],
        ] as const)
          domain.write(at, 4, value);
        domain.write(items + OVERFLOWED, 1, 0);
        this.#reads(domain, 'bytes', length);
        this.#run(domain, 'putHex', [{ kind: 'place', name: 'bytes', plus: 0 }, length]);
        const written = Math.min(2 * length, room);
        for (let i = 0; i < written; i++) {
          const bits = [3, 2, 1, 0].map(bit => this.#bit(i >> 1, bit + (i % 2 === 0 ? 4 : 0)));
          requireDigit(domain.peek(arena + used + i), bits, HEXADECIMAL, `digit ${i}`);
        }
        const isFull = domain.peek(items + OVERFLOWED);
        const words = [items + USED, item + ITEM.length, item + ITEM.title].map(at =>
          domain.load('i32.load', at, 0),
        );
        if (
          isFull !== Number(written < 2 * length) ||
          words[0] !== used + written ||
          words[1] !== written ||
          words[2] !== OUT
        )
          throw new UnprovenClaim(`${length} bytes have a wrong number of hexadecimal digits`);
      }
  }

  /** Proves the addresses of all keys, for any hash function. */
  proveAddress(): void {
    const module = this.#module;
    const code = module.functions[functionIndex(module, 'formatAddress')]!.code;
    const input = Number(code[0]!.value);
    const { sponge } = readParser(module);
    const final = code.findIndex(
      ({ op, index }) => op === 'call' && index === functionIndex(module, 'sha3Final'),
    );
    const hash = Number(code[final - 1]!.value);
    const domain = new PictureDomain(
      module,
      [
        writable(input, INPUT_LENGTH),
        writable(hash, HASH_LENGTH),
        writable(sponge, SPONGE_LENGTH),
        writable(OUT, ADDRESS_LENGTH),
      ],
      this.#bits,
    );
    // The last character is read together with the byte after it, which is arbitrary.
    domain.write(input + PUBLIC_KEY_LENGTH + CHECKSUM, 1, this.#byte(INPUT_LENGTH + HASH_LENGTH));
    this.#reads(domain, 'key', PUBLIC_KEY_LENGTH);
    const machine = new Machine<Word>(module, domain);
    let isHashed = false;
    domain.stubs.set(functionIndex(module, 'sha3Update'), ([from, length]) => {
      const bytes = Array.from({ length: PUBLIC_KEY_LENGTH + CHECKSUM }, (_, i) => domain.peek(input + i));
      isHashed =
        Array.from({ length: SPONGE_LENGTH }, (_, i) => domain.peek(sponge + i)).every(each => each === 0) &&
        machine.globals[ABSORBED] === 0 &&
        from === input &&
        length === bytes.length &&
        bytes.every((each, i) =>
          i < PUBLIC_KEY_LENGTH
            ? JSON.stringify(each) === JSON.stringify(this.#byte(i))
            : each === NAME.charCodeAt(i - PUBLIC_KEY_LENGTH),
        );
      return [];
    });
    domain.stubs.set(functionIndex(module, 'sha3Final'), ([to]) => {
      if (to !== hash) throw new UnprovenClaim('the hash is written to a wrong address');
      for (let i = 0; i < HASH_LENGTH; i++) domain.write(hash + i, 1, this.#byte(PUBLIC_KEY_LENGTH + i));
      return [];
    });
    machine.globals[ABSORBED] = 1;
    this.#run(domain, 'formatAddress', [OUT, { kind: 'place', name: 'key', plus: 0 }], machine);
    if (!isHashed) throw new UnprovenClaim('wrong bytes are hashed');
    [...NAME].forEach((each, i) => {
      if (domain.peek(OUT + i) !== each.charCodeAt(0))
        throw new UnprovenClaim('the prefix of the address is wrong');
    });
    const digits = ((PUBLIC_KEY_LENGTH + CHECKSUM) * 8) / 5;
    for (let i = 0; i < digits; i++) {
      const at = OUT + CHECKSUM + i + Math.floor(i / GROUP) + 1;
      const bits = Array.from({ length: 5 }, (_, j) => this.#bit((5 * i + j) >> 3, 7 - ((5 * i + j) & 7)));
      requireDigit(domain.peek(at), bits, BASE32, `character ${at - OUT}`);
      if (i % GROUP === 0 && domain.peek(at - 1) !== 0x5f)
        throw new UnprovenClaim('a group does not begin with an underscore');
    }
  }
}
