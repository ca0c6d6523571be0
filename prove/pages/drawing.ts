// Proves the drawing of the shipped module for any characters of the font. The module draws by inverting bits
// of the frame. It inverts a bit exactly if a glyph, an inverse cell or a mark of the expected picture has a
// pixel there.

import { FRAME_LENGTH, SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import { ITEM_SIZE } from '../amounts/layout.js';
import { UnprovenClaim } from '../control.js';
import { Machine } from '../wasm/machine.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import {
  canvas,
  ITEM,
  type Layout,
  type Literal,
  POSITION,
  readLayout,
  readLiterals,
  tables,
  titlesOf,
  VALUE_HEIGHT,
} from './layout.js';
import type { Picture } from './picture.js';
import { character, PictureDomain } from './picture-domain.js';
import { apply, type Bit, Bits, bitsOf, ofBits, UNKNOWN, type Word } from './word.js';

export const MARGIN = 1;
/** Address of a value's characters. */
export const VALUE: Word = { kind: 'place', name: 'value', plus: 0 };
/** Global 2 disables the reports of texts. */
const IS_SILENT = 2;

interface DrawingTally {
  runs: number;
  accesses: number;
}

export class Drawing {
  readonly tally: DrawingTally = { runs: 0, accesses: 0 };
  readonly module: WasmModule;
  readonly layout: Layout;
  readonly bits: Bits;
  /** The bits of an arbitrary frame. */
  readonly #before: readonly Bit[];
  /** The bytes of this frame, and the byte after the frame. */
  readonly #blank: readonly Word[];
  readonly literals: readonly Literal[];

  /** `like` is the proof of a module that differs only in its code, so that its facts can be reused. */
  constructor(module: WasmModule, like?: Drawing) {
    this.module = module;
    this.layout = like?.layout ?? readLayout(module);
    this.literals = like?.literals ?? readLiterals(module);
    this.bits = like?.bits ?? new Bits();
    this.#before = like
      ? like.#before
      : Array.from({ length: 8 * FRAME_LENGTH }, (_, at) => this.bits.bit(`frame ${at}`));
    this.#blank = Array.from({ length: FRAME_LENGTH + 1 }, (_, i): Word => {
      if (i === FRAME_LENGTH) return 0;
      if (like) return like.#blank[i]!;
      return ofBits(this.#before.slice(8 * i, 8 * i + 8).reverse());
    });
  }

  index(name: string): number {
    return functionIndex(this.module, name);
  }

  /** Returns a domain with an arbitrary frame. */
  domain(places = [...canvas(this.layout), ...tables(this.layout)]): PictureDomain {
    const domain = new PictureDomain(this.module, places, this.bits);
    this.#blank.forEach((byte, i) => {
      domain.write(this.layout.frame + i, 1, byte);
    });
    return domain;
  }

  run(domain: PictureDomain, name: string, parameters: Word[], isSilent = 1): Word[] {
    const machine = new Machine<Word>(this.module, domain);
    machine.globals[IS_SILENT] = isSilent;
    this.tally.runs++;
    try {
      const results = machine.call(this.index(name), parameters);
      this.tally.accesses += domain.accesses;
      return results;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const [index, position] = machine.at;
      throw new UnprovenClaim(`${this.module.functions[index]!.name}:${position}: ${error.message}`);
    }
  }

  requirePicture(domain: PictureDomain, picture: Picture, what: string, from = 0): void {
    for (let i = from; i < FRAME_LENGTH; i++) {
      const found = bitsOf(domain.peek(this.layout.frame + i));
      for (let bit = 0; bit < 8; bit++) {
        const at = 8 * i + 7 - bit;
        if (found?.[bit] !== picture.bit(this.bits, at, this.#before[at]!))
          throw new UnprovenClaim(
            `${what}: pixel ${at % SCREEN_WIDTH}, ${Math.floor(at / SCREEN_WIDTH)} is wrong`,
          );
      }
    }
    if (domain.peek(this.layout.frame + FRAME_LENGTH) !== 0)
      throw new UnprovenClaim(`${what}: a bit after the frame is changed`);
  }

  /** Returns the bits of a row of a character's glyph, the first pixel last. */
  #glyphRow(domain: PictureDomain, of: Word, row: number): readonly Bit[] {
    const { valueGlyphs } = this.layout;
    const at = apply(this.bits, 'i32.mul', apply(this.bits, 'i32.sub', of, 0x20), VALUE_HEIGHT);
    const byte = domain.load('i32.load8_u', apply(this.bits, 'i32.add', at, valueGlyphs), row);
    const bits = bitsOf(byte);
    if (!bits) throw new UnprovenClaim('a glyph is not known');
    return bits;
  }

  addGlyph(domain: PictureDomain, picture: Picture, of: Word, x: number, y: number, scale = 1): void {
    for (let row = 0; row < VALUE_HEIGHT; row++) {
      const bits = this.#glyphRow(domain, of, row);
      for (let pixel = 0; pixel < 8; pixel++)
        for (let i = 0; i < scale ** 2; i++)
          picture.flip(
            x + scale * pixel + (i % scale),
            y + scale * row + Math.floor(i / scale),
            bits[7 - pixel]!,
          );
    }
  }

  /** Lets the code read arbitrary characters at the address of this text. */
  readText(domain: PictureDomain, name: string): void {
    domain.at = place => {
      if (place.name !== name || place.plus < 0)
        throw new UnprovenClaim(`a load at ${place.name} is not allowed`);
      return character(`text ${place.plus}`);
    };
  }

  /** Runs a drawing function, with and without reports of texts. */
  runReported(
    domain: PictureDomain,
    name: string,
    parameters: Word[],
    isSilent: boolean,
    expected: readonly (readonly (Word | undefined)[])[],
  ): void {
    let reported = 0;
    domain.stubs.set(
      this.module.functions.findIndex(each => each.name === 'hal.text'),
      given => {
        requireSame(given, expected[reported++] ?? [UNKNOWN], 'a text is reported with wrong arguments');
        return [];
      },
    );
    this.run(domain, name, parameters, isSilent ? 1 : 0);
    if (reported !== (isSilent ? 0 : expected.length))
      throw new UnprovenClaim('a wrong number of texts is reported');
  }

  /** Literals that fit the screen as titles with page numbers. */
  titles(): Literal[] {
    return titlesOf(this.literals);
  }

  page(
    title: number,
    place: { start: number; length: number; isWritable: boolean },
    page: Word,
    pages: Word,
    length: number,
  ): PictureDomain {
    const { items, position } = this.layout;
    const around = this.literals.filter(({ text }) => [' (', '/', ')'].includes(text));
    const domain = this.domain([
      ...canvas(this.layout),
      ...tables(this.layout),
      ...around.map(each => each.place),
      place,
      { start: items, length: ITEM_SIZE, isWritable: false },
      { start: position, length: 12, isWritable: false },
    ]);
    domain.write(items + ITEM.title, 4, title);
    domain.write(items + ITEM.value, 4, VALUE);
    domain.write(items + ITEM.length, 4, length);
    domain.write(items + ITEM.large, 1, 1);
    domain.write(position + POSITION.item, 4, count('item', 0, 19));
    domain.write(position + POSITION.page, 4, page);
    domain.write(position + POSITION.pages, 4, pages);
    return domain;
  }
}

export function count(name: string, low: number, high: number): Word {
  if (low === high) return low;
  return { kind: 'scaled', of: { name, low, high, isMarked: false }, factor: 1, plus: 0 };
}

/** Requires equal words where the expected one is known. */
export function requireSame(
  given: readonly Word[],
  expected: readonly (Word | undefined)[],
  what: string,
): void {
  if (expected.some((each, i) => each !== undefined && JSON.stringify(each) !== JSON.stringify(given[i])))
    throw new UnprovenClaim(`${what}: ${JSON.stringify(given)}, not ${JSON.stringify(expected)}`);
}
