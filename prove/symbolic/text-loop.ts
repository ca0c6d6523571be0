// Proves loops that look for a byte of an input that is not text, by induction over its bytes.
import { UnprovenClaim } from '../control.js';
import type { Instruction } from '../wasm/module.js';
import { PathEnd, type Paths } from './paths.js';
import type { Input } from './symbolic-domain.js';
import { known, type Term } from './terms.js';

export class TextLoop {
  /** Number of bytes of the input that the loop has read, all of them text. */
  scanned: Term;
  readonly #paths: Paths;
  readonly #input: Input;

  constructor(paths: Paths, input: Input) {
    [this.#paths, this.#input] = [paths, input];
    this.scanned = paths.terms.constant(0n, 32);
  }

  /**
   * Called at the end of each pass but the last. A pass reads the next byte, and ends the loop if this byte is
   * not text. The second pass starts after an arbitrary number of bytes of text, and represents all later
   * passes.
   */
  pass(loop: readonly Instruction[], locals: Term[]): void {
    const { terms } = this.#paths;
    if (loop.some(({ op }) => /store|call|global.set|fill|copy/.test(op)))
      throw new UnprovenClaim('a loop over a text writes');
    const changed = loop.filter(({ op }) => /^local.(set|tee)$/.test(op)).map(({ index }) => index);
    const next = terms.plus(this.scanned, 1);
    const counter = changed.find(each => locals[each] === next);
    if (counter === undefined) throw new UnprovenClaim('a loop over a text omits a byte');
    this.#paths.require(this.#isText(), 'a byte that is not text counts as text');
    if (known(this.scanned) === undefined) throw new PathEnd();
    for (const each of changed) locals[each] = this.#paths.fresh(locals[each]!.bits);
    this.scanned = this.#paths.fresh(32, 1n, this.#input.length.high);
    this.#paths.assume(terms.not(terms.less(this.#input.length, this.scanned)));
    locals[counter] = this.scanned;
  }

  /** Whether the input is text, after the loop. */
  isText(): boolean {
    const { terms } = this.#paths;
    const { length } = this.#input;
    if (this.#paths.holds(terms.eq(this.scanned, length))) return true;
    this.#paths.require(terms.less(this.scanned, length), 'more bytes than those of a text are read');
    this.#paths.require(terms.not(this.#isText()), 'a text counts as binary');
    return false;
  }

  /** Whether the next byte is text (docs/TRANSACTION.md#text-and-binary). */
  #isText(): Term {
    const { terms } = this.#paths;
    const byte = terms.input(terms.plus(this.#input.start, this.scanned));
    const number = (value: bigint) => terms.constant(value, 8);
    const isPrintable = terms.both(
      terms.not(terms.less(byte, number(0x20n))),
      terms.not(terms.less(number(0x7en), byte)),
    );
    return terms.any([terms.eq(byte, number(0x0an)), isPrintable]);
  }
}
