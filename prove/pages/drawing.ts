// Drawing by the shipped module, on characters that are any of the face: each bit of the frame behind it is
// what it was before, turned over where the picture has a bit of a glyph, an inverted cell or a mark, and no
// other is.
import { FRAME_LENGTH, MAX_LINKED, SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import { Machine } from '../wasm/machine.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';
import {
  COLUMNS,
  canvas,
  ITEM,
  ITEM_SIZE,
  type Layout,
  type Literal,
  linesOf,
  POSITION,
  readLayout,
  readLiterals,
  TITLE_HEIGHT,
  TITLE_LENGTH,
  tables,
  titlesOf,
  VALUE_HEIGHT,
  VALUE_WIDTH,
} from './layout.js';
import { character, NotShown, PictureDomain } from './picture-domain.js';
import {
  apply,
  type Bit,
  Bits,
  bitsOf,
  isNumber,
  ofBits,
  SPACE,
  UNKNOWN,
  type Variable,
  type Word,
} from './word.js';

const LINES = 4;
const MARGIN = 1;
const FIRST_LINE_Y = 11;
const LINE_PITCH = 12;
const CENTERED_Y = [18, 34];
const LARGE_Y = 25;
const TITLE_BAR = 10;
const TITLE_Y = 1;
/** Longest word in large type that fits; the module has APPROVE and REJECT. */
const LONGEST_LARGE = 10;
/** The most pages of the longest value: all but the last hold 4 characters or more. */
export const MOST_PAGES = MAX_LINKED / LINES;
const LINE_FEED_MARK = 0x7f;
const ARROW_HEIGHT = 5;
/** Where the characters of a value are. */
const VALUE: Word = { kind: 'place', name: 'value', plus: 0 };
/** Global 2 is whether texts are not reported. */
const IS_SILENT = 2;

/** A frame bit by bit, as it should be. */
class Picture {
  private readonly flips = new Map<number, Bit[]>();
  /** Rows from the top that are lit before they are drawn on. */
  private readonly lit: number;

  constructor(lit = 0) {
    this.lit = lit;
  }

  flip(x: number, y: number, bit: Bit): void {
    if (bit === 0) return;
    if (x < 0 || x >= SCREEN_WIDTH) throw new NotShown(`a picture beyond the screen's width`);
    const at = y * SCREEN_WIDTH + x;
    this.flips.set(at, [...(this.flips.get(at) ?? []), bit]);
  }

  bit(bits: Bits, at: number, before: Bit): Bit {
    const flips = this.flips.get(at);
    const ground = at < this.lit * SCREEN_WIDTH ? 1 : before;
    return flips ? flips.reduce((a, b) => bits.xor(a, b), ground) : ground;
  }
}

interface DrawingTally {
  runs: number;
  accesses: number;
}

export class Drawing {
  readonly tally: DrawingTally = { runs: 0, accesses: 0 };
  private readonly module: WasmModule;
  private readonly layout: Layout;
  private readonly bits: Bits;
  /** Pixels of a frame that holds anything, and its bytes with the one behind it. */
  private readonly before: readonly Bit[];
  private readonly blank: readonly Word[];
  private readonly literals: readonly Literal[];

  /** With what is known of a module that differs in its code only, if one is given. */
  constructor(module: WasmModule, like?: Drawing) {
    this.module = module;
    this.layout = like?.layout ?? readLayout(module);
    this.literals = like?.literals ?? readLiterals(module);
    this.bits = like?.bits ?? new Bits();
    this.before =
      like?.before ?? Array.from({ length: 8 * FRAME_LENGTH }, (_, at) => this.bits.bit(`frame ${at}`));
    this.blank = Array.from({ length: FRAME_LENGTH + 1 }, (_, i): Word => {
      if (i === FRAME_LENGTH) return 0;
      return like?.blank[i] ?? ofBits(this.before.slice(8 * i, 8 * i + 8).reverse());
    });
  }

  private index(name: string): number {
    return functionIndex(this.module, name);
  }

  /** A domain of which the frame holds anything. */
  private domain(places = [...canvas(this.layout), ...tables(this.layout)]): PictureDomain {
    const domain = new PictureDomain(this.module, places, this.bits);
    this.blank.forEach((byte, i) => {
      domain.write(this.layout.frame + i, 1, byte);
    });
    return domain;
  }

  private run(domain: PictureDomain, name: string, parameters: Word[], isSilent = 1): Word[] {
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
      throw new NotShown(`${this.module.functions[index]!.name}:${position}: ${error.message}`);
    }
  }

  private requirePicture(domain: PictureDomain, picture: Picture, what: string, from = 0): void {
    for (let i = from; i < FRAME_LENGTH; i++) {
      const found = bitsOf(domain.peek(this.layout.frame + i));
      for (let bit = 0; bit < 8; bit++) {
        const at = 8 * i + 7 - bit;
        if (found?.[bit] !== picture.bit(this.bits, at, this.before[at]!))
          throw new NotShown(
            `${what}: pixel ${at % SCREEN_WIDTH}, ${Math.floor(at / SCREEN_WIDTH)} is another`,
          );
      }
    }
    if (domain.peek(this.layout.frame + FRAME_LENGTH) !== 0)
      throw new NotShown(`${what}: a bit behind the frame`);
  }

  /** The bits of a row of a character's glyph, the first pixel last. */
  private glyphRow(domain: PictureDomain, of: Word, row: number): readonly Bit[] {
    const { valueGlyphs } = this.layout;
    const at = apply(this.bits, 'i32.mul', apply(this.bits, 'i32.sub', of, 0x20), VALUE_HEIGHT);
    const byte = domain.load('i32.load8_u', apply(this.bits, 'i32.add', at, valueGlyphs), row);
    const bits = bitsOf(byte);
    if (!bits) throw new NotShown('a glyph is not known');
    return bits;
  }

  private addGlyph(domain: PictureDomain, picture: Picture, of: Word, x: number, y: number, scale = 1): void {
    for (let row = 0; row < VALUE_HEIGHT; row++) {
      const bits = this.glyphRow(domain, of, row);
      for (let pixel = 0; pixel < 8; pixel++)
        for (let i = 0; i < scale ** 2; i++)
          picture.flip(
            x + scale * pixel + (i % scale),
            y + scale * row + Math.floor(i / scale),
            bits[7 - pixel]!,
          );
    }
  }

  /** A character of a line, or the mark of a space at either end of it. */
  private shown(i: number, length: number): Word {
    const any = character(`text ${i}`);
    if ((i !== 0 && i !== length - 1) || isNumber(any) || any.kind !== 'scaled') return any;
    const of: Variable = { ...any.of, isMarked: true };
    return { ...any, of };
  }

  /** Text of any characters at any address. */
  private readText(domain: PictureDomain, name: string): void {
    domain.at = place => {
      if (place.name !== name || place.plus < 0) throw new NotShown(`a load at ${place.name}`);
      return character(`text ${place.plus}`);
    };
  }

  /** Runs a function that draws, where texts are reported, or where they are not. */
  private runReported(
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
        requireSame(given, expected[reported++] ?? [UNKNOWN], 'a text is reported otherwise');
        return [];
      },
    );
    this.run(domain, name, parameters, isSilent ? 1 : 0);
    if (reported !== (isSilent ? 0 : expected.length)) throw new NotShown('a text is reported, or is not');
  }

  /** Lines of 0 to 21 characters, on each of the places where lines are. */
  proveRows(): void {
    const centered = (length: number) => Math.trunc((SCREEN_WIDTH - length * VALUE_WIDTH) / 2);
    const pointer: Word = { kind: 'place', name: 'text', plus: 0 };
    for (let length = 0; length <= COLUMNS; length++) {
      const places = [
        ...Array.from({ length: LINES }, (_, i) => [MARGIN, FIRST_LINE_Y + i * LINE_PITCH] as const),
        ...CENTERED_Y.map(y => [centered(length), y] as const),
      ];
      for (const [x, y] of places) {
        const domain = this.domain();
        this.readText(domain, 'text');
        const report = [pointer, length, x, y, length * VALUE_WIDTH, VALUE_HEIGHT];
        const isSilent = (length + y) % 2 === 0;
        this.runReported(domain, 'drawRow', [x, y, pointer, length], isSilent, length > 0 ? [report] : []);
        const picture = new Picture();
        for (let i = 0; i < length; i++)
          this.addGlyph(domain, picture, this.shown(i, length), x + i * VALUE_WIDTH, y);
        this.requirePicture(domain, picture, `a line of ${length}`);
      }
    }
  }

  /**
   * The lines of a page: each from where the one before leads to, drawn with its inverse cells and its mark.
   * A pass takes nothing from the one before but where it begins.
   */
  proveLines(): void {
    for (let count = 0; count <= LINES; count++) {
      if (count < LINES) this.proveLine(count, -1, 0, false, false);
      else
        for (let line = 0; line < LINES; line++)
          for (let length = 0; length <= COLUMNS; length++)
            for (const isInverse of [false, true])
              for (const isEnded of [false, true]) this.proveLine(count, line, length, isInverse, isEnded);
    }
  }

  /** A page of `count` lines, with more behind four; one of them has so many characters, the others none. */
  private proveLine(count: number, line: number, length: number, isInverse: boolean, isEnded: boolean): void {
    const item = this.layout.items;
    const domain = this.domain([
      ...canvas(this.layout),
      ...tables(this.layout),
      { start: item, length: ITEM_SIZE, isWritable: false },
    ]);
    domain.write(item + ITEM.value, 4, VALUE);
    domain.write(item + ITEM.length, 4, { kind: 'place', name: 'length', plus: 0 });
    domain.write(item + ITEM.inverse, 1, isInverse ? 1 : 0);
    const lengthOf = (i: number) => (i === line ? length : 0);
    const endsAt = (i: number) => i === line && isEnded;
    domain.isLess = ([a, b]) => {
      if (isNumber(a as Word) || isNumber(b as Word)) throw new NotShown('other places are compared');
      const [x, y] = [a, b] as [{ name: string; plus: number }, { name: string; plus: number }];
      const [i, j] = [indexOf(x.name), indexOf(y.name)];
      if (i !== undefined && x.plus === 0 && y.name === 'length' && y.plus === 0)
        return i < count || count === LINES;
      if (i === undefined || j !== i + 1 || y.plus !== 0 || x.plus !== lengthOf(i))
        throw new NotShown('other places are compared');
      return endsAt(i);
    };
    let [drawn, next, measured] = [0, 0, 0];
    domain.stubs.set(this.index('nextLine'), ([of, from]) => {
      requireSame([of!, from!], [item, offset(next)], 'the next line is looked for elsewhere');
      return [offset(++next)];
    });
    domain.stubs.set(this.index('lineLength'), ([of, from]) => {
      requireSame([of!, from!], [item, offset(measured)], 'a line is measured elsewhere');
      return [lengthOf(measured++)];
    });
    domain.stubs.set(this.index('drawRow'), ([x, y, pointer, characters]) => {
      const at: Word = { kind: 'place', name: ['value', `offset ${drawn}`].sort().join(' + '), plus: 0 };
      const expected = [MARGIN, FIRST_LINE_Y + drawn * LINE_PITCH, at, lengthOf(drawn)];
      requireSame([x!, y!, pointer!, characters!], expected, 'a line is drawn elsewhere');
      drawn++;
      return [];
    });
    this.run(domain, 'page/drawLines', [item, offset(0)]);
    if (drawn !== count || next !== count || measured !== count)
      throw new NotShown(`a page of ${count} lines shows ${drawn}`);
    const picture = new Picture();
    if (line >= 0) {
      const y = FIRST_LINE_Y + line * LINE_PITCH;
      if (isInverse)
        for (let row = 0; row < VALUE_HEIGHT; row++)
          for (let x = 0; x < length * VALUE_WIDTH; x++) picture.flip(MARGIN + x, y + row, 1);
      if (isEnded && length < COLUMNS)
        this.addGlyph(domain, picture, LINE_FEED_MARK, MARGIN + length * VALUE_WIDTH, y);
      else if (isEnded) {
        for (let row = 4; row < 9; row++) picture.flip(SCREEN_WIDTH - 1, y + row, 1);
        picture.flip(SCREEN_WIDTH - 2, y + 8, 1);
      }
    }
    this.requirePicture(domain, picture, `line ${line} of ${length}`);
  }

  /** Titles with and without page numbers: within their buffer, on their bar, and whole. */
  proveTitles(titles: readonly Literal[] = this.titles()): void {
    for (const { address, text, place } of titles) {
      for (const [page, pages] of pageNumbers()) {
        const domain = this.page(address, place, page, pages, 0);
        let drawn = false;
        domain.stubs.set(this.index('drawArrows'), () => {
          drawn = true;
          return [];
        });
        const isOne = pages === 1;
        const characters = this.titleOf(text, page, pages);
        const width = isOne ? [...text].reduce((sum, each) => sum + this.titleWidth(each), 0) : undefined;
        const report = [this.layout.title, characters.length, MARGIN, TITLE_Y, width, TITLE_HEIGHT];
        const none = [VALUE, 0, SCREEN_WIDTH / 2, LARGE_Y, 0, 2 * VALUE_HEIGHT];
        this.runReported(domain, 'drawItemPage', [this.layout.items], false, [report, none]);
        characters.forEach((each, i) => {
          requireSame([domain.peek(this.layout.title + i)], [each], `the title ${text} is another`);
        });
        const picture = new Picture(TITLE_BAR);
        if (isOne) this.addTitle(picture, text);
        this.requirePicture(domain, picture, `the title ${text}`, isOne ? 0 : (TITLE_BAR * SCREEN_WIDTH) / 8);
        if (!drawn) throw new NotShown('arrows are not drawn');
      }
    }
  }

  private titleWidth(each: string): number {
    return this.module.memory[this.layout.widths + each.charCodeAt(0) - SPACE]!;
  }

  private addTitle(picture: Picture, text: string): void {
    let x = MARGIN;
    for (const each of text) {
      const glyph = this.layout.titleGlyphs + (each.charCodeAt(0) - SPACE) * TITLE_HEIGHT;
      for (let row = 0; row < TITLE_HEIGHT; row++)
        for (let pixel = 0; pixel < 8; pixel++)
          picture.flip(x + pixel, TITLE_Y + row, (this.module.memory[glyph + row]! >> (7 - pixel)) & 1);
      x += this.titleWidth(each);
    }
  }

  /** Literals that fit the screen as titles with page numbers. */
  titles(): Literal[] {
    return titlesOf(this.literals);
  }

  private page(
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

  /** The characters of a title, with digits of page numbers. */
  private titleOf(text: string, page: Word, pages: Word): Word[] {
    const characters: Word[] = [...text].map(each => each.charCodeAt(0));
    if (pages !== 1) {
      const number = (of: Word) => digitsOf(this.bits, of);
      characters.push(
        0x20,
        0x28,
        ...number(apply(this.bits, 'i32.add', page, 1)),
        0x2f,
        ...number(pages),
        0x29,
      );
    }
    if (characters.length > TITLE_LENGTH) throw new NotShown(`the title ${text} is too long`);
    return characters;
  }

  /** Arrows to both sides, but on the first page to the right only. */
  proveArrowsOfPages(): void {
    const title = this.titles().find(({ text }) => text === '');
    for (const item of [0, 1])
      for (const page of [0, 1]) {
        const domain = this.page(title!.address, title!.place, page, 1, 0);
        domain.write(this.layout.position + POSITION.item, 4, item);
        let drawn = 0;
        domain.stubs.set(this.index('drawArrows'), given => {
          requireSame(given, [Math.max(item, page), 1], 'other arrows');
          drawn++;
          return [];
        });
        this.run(domain, 'drawItemPage', [this.layout.items]);
        if (drawn !== 1) throw new NotShown('arrows are not drawn');
      }
  }

  /** Words in large type. */
  proveLarge(): void {
    const title = this.titles().find(({ text }) => text === '');
    for (let length = 0; length <= LONGEST_LARGE; length++) {
      const domain = this.page(title!.address, title!.place, 0, 1, length);
      this.readText(domain, 'value');
      domain.stubs.set(this.index('drawArrows'), () => []);
      const left = Math.trunc((SCREEN_WIDTH - 2 * length * VALUE_WIDTH) / 2);
      const reports = [
        [this.layout.title, 0, MARGIN, TITLE_Y, 0, TITLE_HEIGHT],
        [VALUE, length, left, LARGE_Y, 2 * length * VALUE_WIDTH, 2 * VALUE_HEIGHT],
      ];
      this.runReported(domain, 'drawItemPage', [this.layout.items], false, reports);
      const picture = new Picture();
      for (let i = 0; i < length; i++)
        this.addGlyph(domain, picture, character(`text ${i}`), left + 2 * i * VALUE_WIDTH, LARGE_Y, 2);
      this.requirePicture(domain, picture, `a large word of ${length}`, (TITLE_BAR * SCREEN_WIDTH) / 8);
    }
  }

  /** Each page of a value begins where the page before leads to. */
  provePageStarts(most = MOST_PAGES): void {
    const title = this.titles().find(({ text }) => text === '');
    const item = this.layout.items;
    for (let page = 0; page < most; page++) {
      const domain = this.page(title!.address, title!.place, page, 1, 0);
      domain.write(item + ITEM.large, 1, 0);
      let [pages, drawn] = [0, false];
      domain.stubs.set(this.index('drawArrows'), () => []);
      domain.stubs.set(this.index('nextPage'), ([of, from]) => {
        requireSame([of!, from!], [item, pageStart(pages)], 'a page is looked for elsewhere');
        return [offset(++pages)];
      });
      domain.stubs.set(this.index('page/drawLines'), ([of, from]) => {
        requireSame([of!, from!], [item, pageStart(page)], 'lines are drawn from elsewhere');
        drawn = true;
        return [];
      });
      this.run(domain, 'drawItemPage', [item]);
      if (!drawn) throw new NotShown('no lines are drawn');
    }
  }

  /** A page ends where the lines that are drawn on it end: behind four, or at the end of the value. */
  proveNextPage(): void {
    const item = this.layout.items;
    for (let lines = 0; lines <= LINES; lines++) {
      // Behind four lines there are more.
      const domain = this.value(lines === LINES ? Number.POSITIVE_INFINITY : lines);
      let next = 0;
      domain.stubs.set(this.index('nextLine'), ([of, from]) => {
        requireSame([of!, from!], [item, offset(next)], 'the next line is looked for elsewhere');
        return [offset(++next)];
      });
      const given = this.run(domain, 'nextPage', [item, offset(0)]);
      requireSame(given, [offset(lines)], 'a page ends elsewhere');
    }
  }

  /** There are as many pages as it takes until one ends at the end of the value. */
  proveCountPages(): void {
    const item = this.layout.items;
    for (let pages = 1; pages <= MOST_PAGES; pages++) {
      const domain = this.value(pages);
      let next = 0;
      domain.stubs.set(this.index('nextPage'), ([of, from]) => {
        requireSame([of!, from!], [item, pageStart(next)], 'a page is looked for elsewhere');
        return [offset(++next)];
      });
      requireSame(this.run(domain, 'countPages', [item]), [pages], 'another number of pages');
    }
  }

  /** An item of which the value ends at this offset. */
  private value(end: number): PictureDomain {
    const item = this.layout.items;
    const domain = new PictureDomain(this.module, [{ start: item, length: ITEM_SIZE, isWritable: false }]);
    domain.write(item + ITEM.length, 4, { kind: 'place', name: 'length', plus: 0 });
    domain.isLess = ([a, b]) => {
      const index = typeof a === 'number' ? undefined : indexOf(a.name);
      requireSame([b], [{ kind: 'place', name: 'length', plus: 0 }], 'another end');
      if (index === undefined) throw new NotShown('other places are compared');
      return index < end;
    };
    return domain;
  }

  proveArrows(): void {
    for (const left of [0, 1])
      for (const right of [0, 1]) {
        const domain = this.domain();
        this.run(domain, 'drawArrows', [left, right]);
        const picture = new Picture();
        for (let row = 0; row < ARROW_HEIGHT; row++) {
          const width = Math.min(row + 1, ARROW_HEIGHT - row);
          for (let i = 0; i < width; i++) {
            if (left) picture.flip(2 - i, 59 + row, 1);
            if (right) picture.flip(125 + i, 59 + row, 1);
          }
        }
        this.requirePicture(domain, picture, 'arrows');
      }
  }

  /** Pages of two lines: the upper one any literal, the lower one what stands in the line. */
  provePlainPages(): void {
    const { title, line } = this.layout;
    for (const { address, text, place } of linesOf(this.literals))
      for (const length of text === '' ? Array.from({ length: COLUMNS + 1 }, (_, i) => i) : [1]) {
        const domain = this.domain([...canvas(this.layout), place]);
        const rows = [
          [title, text.length],
          [line, length],
        ] as const;
        let drawn = 0;
        domain.stubs.set(this.index('drawArrows'), () => []);
        domain.stubs.set(this.index('drawRow'), given => {
          const [pointer, characters] = rows[drawn]!;
          const x = Math.trunc((SCREEN_WIDTH - characters * VALUE_WIDTH) / 2);
          requireSame(given, [x, CENTERED_Y[drawn]!, pointer, characters], 'a line is drawn elsewhere');
          drawn++;
          return [];
        });
        this.run(domain, 'drawUnderTitle', [address, length, count('left', 0, 1), count('right', 0, 1)]);
        if (drawn !== rows.length) throw new NotShown('a line is missing');
        [...text].forEach((each, i) => {
          requireSame([domain.peek(title + i)], [each.charCodeAt(0)], `the title ${text} is another`);
        });
      }
  }
}

function offset(index: number): Word {
  return { kind: 'place', name: `offset ${index}`, plus: 0 };
}

function pageStart(page: number): Word {
  return page === 0 ? 0 : offset(page);
}

function indexOf(name: string): number | undefined {
  const [, index] = /^offset (\d+)$/.exec(name) ?? [];
  return index === undefined ? undefined : Number(index);
}

function count(name: string, low: number, high: number): Word {
  if (low === high) return low;
  return { kind: 'scaled', of: { name, low, high, isMarked: false }, factor: 1, plus: 0 };
}

/** That words are the same where it is known what they should be. */
function requireSame(given: readonly Word[], expected: readonly (Word | undefined)[], what: string): void {
  if (expected.some((each, i) => each !== undefined && JSON.stringify(each) !== JSON.stringify(given[i])))
    throw new NotShown(`${what}: ${JSON.stringify(given)}, not ${JSON.stringify(expected)}`);
}

/** Page numbers by how many digits they have: one page, or any of several. */
function pageNumbers(): [page: Word, pages: Word][] {
  const found: [Word, Word][] = [[0, 1]];
  const ranges = [1, 10, 100].map(low => [low, Math.min(10 * low - 1, MOST_PAGES)] as const);
  for (const [from, to] of ranges)
    for (const [low, high] of ranges)
      if (from <= low) found.push([count('page', from - 1, to - 1), count('pages', Math.max(low, 2), high)]);
  return found;
}

/** The digits of a number of which it is known how many it has. */
function digitsOf(bits: Bits, number: Word): Word[] {
  const high = isNumber(number) ? number : number.kind === 'scaled' ? number.of.high + number.plus : 0;
  const units = [100, 10, 1].filter(each => each <= high);
  return units.map(unit => {
    const digit = apply(bits, 'i32.rem_u', apply(bits, 'i32.div_u', number, unit), 10);
    return apply(bits, 'i32.add', digit, 0x30);
  });
}
