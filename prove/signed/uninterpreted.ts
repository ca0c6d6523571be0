// Uninterpreted functions: equal arguments give equal bytes, and nothing else is known about them. The state
// of a hash function consists of such bytes too, so that a state determines the hashed data.
import { UnprovenClaim } from '../control.js';
import { Run, range } from '../symbolic/run.js';
import type { SymbolicDomain } from '../symbolic/symbolic-domain.js';
import { known, type Term } from '../symbolic/terms.js';

/**
 * The hashed data: bytes of 8 bits and, for bytes of the upload, two 32-bit words with their start and
 * number.
 */
export type Message = readonly Term[];

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
}
