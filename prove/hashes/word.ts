// Machine words as functions of symbols, in a normal form: words with the same form are equal for all values
// of the symbols. A word is a constant, an exclusive or of masked products of rotated symbols, or a sum
// modulo 2^64 of such words.

const BITS = 64n;
const ALL = (1n << BITS) - 1n;

/** The key of the empty product, which is a constant. */
const ONE = '';

interface Bits {
  /** Masks by product. A product is a list of factors `symbol@rotation`, joined by `*`. */
  readonly products: ReadonlyMap<string, bigint>;
}

interface Sum {
  /** Factors of the words in the sum, by the words' symbols. */
  readonly multiples: ReadonlyMap<string, bigint>;
}

export class Word {
  #form: Bits | Sum;

  constructor(form: Bits | Sum) {
    this.#form = form;
  }

  /** Replaces the form of this word by that of an equal word. */
  become(other: Word): void {
    this.#form = other.#form;
  }

  get products(): ReadonlyMap<string, bigint> | undefined {
    return 'products' in this.#form ? this.#form.products : undefined;
  }

  get multiples(): ReadonlyMap<string, bigint> | undefined {
    return 'multiples' in this.#form ? this.#form.multiples : undefined;
  }

  /** The value of a constant word. */
  get value(): bigint | undefined {
    const { products } = this;
    if (!products) return undefined;
    if (products.size === 0) return 0n;
    return products.size === 1 ? products.get(ONE) : undefined;
  }

  /** A text that is equal only for equal forms. */
  get text(): string {
    const entries = [...(this.products ?? this.multiples)!].sort(([a], [b]) => (a < b ? -1 : 1));
    return `${this.products ? '' : '+'}${entries.map(([key, by]) => `${key}:${by.toString(16)}`).join(' ')}`;
  }
}

const rotate = (mask: bigint, by: bigint) => ((mask << by) | (mask >> (BITS - by))) & ALL;

/** Creates words over the same symbols. */
export class Words {
  /** Symbols that represent words, by the words' text. */
  readonly #named = new Map<string, string>();
  /** Sums by the symbols that represent them. */
  readonly #sums = new Map<string, ReadonlyMap<string, bigint>>();
  #made: Word[] = [];

  constant(value: bigint): Word {
    const bits = BigInt.asUintN(64, value);
    return this.#make(new Map(bits === 0n ? [] : [[ONE, bits]]));
  }

  /** Returns an arbitrary word within a mask. */
  symbol(name: string, mask = ALL): Word {
    return this.#make(new Map([[`${name}@0`, mask]]));
  }

  /** Returns the result of an arbitrary function of words, equal for equal words. */
  image(name: string, of: readonly Word[]): Word {
    return this.symbol(this.#nameFor(`${name}(${of.map(each => each.text).join(', ')})`));
  }

  xor(a: Word, b: Word): Word {
    const products = new Map(this.#bits(a));
    for (const [key, mask] of this.#bits(b)) {
      const left = (products.get(key) ?? 0n) ^ mask;
      if (left === 0n) products.delete(key);
      else products.set(key, left);
    }
    return this.#make(products);
  }

  and(a: Word, b: Word): Word {
    const products = new Map<string, bigint>();
    for (const [x, mask] of this.#bits(a))
      for (const [y, other] of this.#bits(b)) {
        const both = mask & other;
        if (both === 0n) continue;
        const factors = [...new Set([...x.split('*'), ...y.split('*')])].filter(each => each !== ONE);
        const key = factors.sort().join('*');
        const left = (products.get(key) ?? 0n) ^ both;
        if (left === 0n) products.delete(key);
        else products.set(key, left);
      }
    return this.#make(products);
  }

  or(a: Word, b: Word): Word {
    return this.xor(this.xor(a, b), this.and(a, b));
  }

  rotate(word: Word, by: bigint): Word {
    const left = ((by % BITS) + BITS) % BITS;
    if (left === 0n) return word;
    const turned = (factor: string): string => {
      const at = factor.lastIndexOf('@');
      return `${factor.slice(0, at)}@${(BigInt(factor.slice(at + 1)) + left) % BITS}`;
    };
    return this.#make(
      new Map(
        [...this.#bits(word)].map(([key, mask]) => [
          key === ONE ? ONE : key.split('*').map(turned).sort().join('*'),
          rotate(mask, left),
        ]),
      ),
    );
  }

  /** Returns a left shift, or a right shift if `by` is negative. */
  shift(word: Word, by: bigint): Word {
    const mask = by >= 0n ? (ALL << by) & ALL : ALL >> -by;
    return this.and(this.rotate(word, by), this.constant(mask));
  }

  add(a: Word, b: Word): Word {
    if (
      this.#couldBe(a) !== undefined &&
      this.#couldBe(b) !== undefined &&
      (this.#couldBe(a)! & this.#couldBe(b)!) === 0n
    )
      return this.xor(a, b);
    const multiples = new Map(this.#sum(a));
    for (const [key, by] of this.#sum(b)) {
      const left = BigInt.asUintN(64, (multiples.get(key) ?? 0n) + by);
      if (left === 0n) multiples.delete(key);
      else multiples.set(key, left);
    }
    if ([...multiples.keys()].every(key => key === ONE)) return this.constant(multiples.get(ONE) ?? 0n);
    const word = new Word({ multiples });
    this.#made.push(word);
    return word;
  }

  /** Represents each word made since the last call by a symbol; equal words get the same symbol. */
  collapse(): void {
    const made = this.#made;
    this.#made = [];
    for (const word of made) {
      const isLarge = (word.products?.size ?? word.multiples!.size) > 1;
      if (!isLarge) continue;
      const symbol = word.multiples ? this.#make(this.#bits(word)) : this.symbol(this.#nameFor(word.text));
      word.become(symbol);
    }
    this.#made = [];
  }

  /** Returns the bits that may be set in a word; undefined for a sum. */
  #couldBe({ products }: Word): bigint | undefined {
    return products && [...products.values()].reduce((a, b) => a | b, 0n);
  }

  #bits(word: Word): ReadonlyMap<string, bigint> {
    if (word.products) return word.products;
    const name = this.#nameFor(word.text);
    this.#sums.set(name, word.multiples!);
    return new Map([[`${name}@0`, ALL]]);
  }

  #sum(word: Word): ReadonlyMap<string, bigint> {
    if (word.multiples) return word.multiples;
    const { value } = word;
    if (value !== undefined) return new Map(value === 0n ? [] : [[ONE, value]]);
    const name = wholeSymbol(word) ?? this.#nameFor(word.text);
    return this.#sums.get(name) ?? new Map([[name, 1n]]);
  }

  #nameFor(text: string): string {
    const name = this.#named.get(text) ?? `w${this.#named.size}`;
    this.#named.set(text, name);
    return name;
  }

  #make(products: ReadonlyMap<string, bigint>): Word {
    const word = new Word({ products });
    this.#made.push(word);
    return word;
  }
}

/** Returns the symbol that the word equals, if any. */
function wholeSymbol({ products }: Word): string | undefined {
  if (products?.size !== 1) return undefined;
  const [[key, mask]] = [...products] as [[string, bigint]];
  return mask === ALL && /^[^*]+@0$/.test(key) ? key.slice(0, -2) : undefined;
}
