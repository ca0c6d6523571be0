// Uninterpreted functions: equal arguments give equal bytes, and nothing else is known about them. The state
// of a hash function consists of such bytes too, so that a state determines the hashed data.
import { HASH_LENGTH } from '@zbc-signer/protocol/limits';
import { UnprovenClaim } from '../control.js';
import { Run, range } from '../symbolic/run.js';
import type { SymbolicDomain } from '../symbolic/symbolic-domain.js';
import { known, type Term } from '../symbolic/terms.js';
import { functionIndex } from '../wasm/module.js';

/**
 * The hashed data: bytes of 8 bits and, for bytes of the upload, two 32-bit words with their start and
 * number.
 */
export type Message = readonly Term[];

const SPONGE_SIZE = 200;

export class Uninterpreted<Domain extends SymbolicDomain> extends Run<Domain> {
  /** Messages of unfinished hashes, by the first byte of the state. */
  readonly #begun = new Map<Term, Message>();

  /** Returns the result of a function for a message. */
  image(name: string, of: Message, bytes: number): Term[] {
    const key = `${name}(${of.map(({ id }) => id).join(' ')})`;
    return range(bytes).map(i => this.paths.terms.symbol(`${key}[${i}]`, 8));
  }

  /** Returns the input of an update: the current bytes, or a part of the upload, which nothing writes. */
  piece(from: Term, length: Term, isUpload: boolean): Message {
    const [at, count] = [known(from), known(length)];
    if (!isUpload && at !== undefined && count !== undefined) return this.bytes(Number(at), Number(count));
    this.domain.requireInput(from, length, 'bytes outside the upload are hashed');
    return [from, length];
  }

  /** Returns the state of a hash after this input. */
  state(name: string, of: Message, size: number): Term[] {
    const state = this.image(name, of, size);
    this.#begun.set(state[0]!, of);
    return state;
  }

  /** Returns the input of the hash with this state. */
  given(name: string, state: readonly Term[]): Message {
    const of = this.#begun.get(state[0]!);
    if (!of || this.image(name, of, state.length).some((byte, i) => byte !== state[i]))
      throw new UnprovenClaim(`${name} continues from bytes that are not the state of a hash`);
    return of;
  }

  sha3(of: Message): Term[] {
    return this.image('SHA3-256', of, HASH_LENGTH);
  }

  /** Adds a piece of data to the hash whose state is at `at`, and begins the hash if `isNew`. */
  update(name: string, at: number, size: number, isNew: boolean, piece: Message): void {
    const before = isNew ? [] : this.given(name, this.bytes(at, size));
    this.put(at, this.state(name, [...before, ...piece], size));
  }

  /** Replaces the functions of SHA3-256, whose state is at `sponge`. */
  stubSha3(sponge: number, isUpload: (from: Term) => boolean): void {
    const { globals } = this.machine;
    const { code } = this.module.functions[functionIndex(this.module, 'sha3Update')]!;
    const absorbed = code.find(({ op }) => op === 'global.get')!.index;
    const keep = () => this.paths.terms.symbol(`absorbed${this.domain.peek(sponge, 1).id}`, 32);
    this.stub('sha3Update', (from, length) => {
      const isNew =
        this.bytes(sponge, SPONGE_SIZE).every(each => known(each) === 0n) && known(globals[absorbed]!) === 0n;
      if (!isNew && globals[absorbed] !== keep())
        throw new UnprovenClaim('SHA-3 continues from a wrong number of bytes');
      const piece = this.piece(from!, length!, isUpload(from!));
      this.update('sponge', sponge, SPONGE_SIZE, isNew, piece);
      globals[absorbed] = keep();
    });
    this.stub('sha3Final', out => {
      this.put(Number(known(out!)), this.sha3(this.given('sponge', this.bytes(sponge, SPONGE_SIZE))));
      this.put(sponge, this.zeros(SPONGE_SIZE));
      globals[absorbed] = this.number(0);
    });
  }
}
