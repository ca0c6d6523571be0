// Proves titles, large type and arrows.
import { SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import { UnprovenClaim } from '../control.js';
import { count, type Drawing, MARGIN, requireSame, VALUE } from './drawing.js';
import { type Literal, POSITION, TITLE_HEIGHT, TITLE_LENGTH, VALUE_HEIGHT, VALUE_WIDTH } from './layout.js';
import { MOST_PAGES } from './paging.js';
import { Picture } from './picture.js';
import { character } from './picture-domain.js';
import { apply, type Bits, isNumber, SPACE, type Word } from './word.js';

const LARGE_Y = 25;
const TITLE_BAR = 10;
const TITLE_Y = 1;
/** Length of the longest word in large type that fits; the module uses APPROVE and REJECT. */
const LONGEST_LARGE = 10;
const ARROW_HEIGHT = 5;

/** Proves that titles, with and without page numbers, stay within buffer and bar, and are complete. */
export function proveTitles(drawing: Drawing, titles: readonly Literal[] = drawing.titles()): void {
  for (const { address, text, place } of titles) {
    for (const [page, pages] of pageNumbers()) {
      const domain = drawing.page(address, place, page, pages, 0);
      let drawn = false;
      domain.stubs.set(drawing.index('drawArrows'), () => {
        drawn = true;
        return [];
      });
      const isOne = pages === 1;
      const characters = titleOf(drawing, text, page, pages);
      const width = isOne ? [...text].reduce((sum, each) => sum + titleWidth(drawing, each), 0) : undefined;
      const report = [drawing.layout.title, characters.length, MARGIN, TITLE_Y, width, TITLE_HEIGHT];
      const none = [VALUE, 0, SCREEN_WIDTH / 2, LARGE_Y, 0, 2 * VALUE_HEIGHT];
      drawing.runReported(domain, 'drawItemPage', [drawing.layout.items], false, [report, none]);
      characters.forEach((each, i) => {
        requireSame([domain.peek(drawing.layout.title + i)], [each], `the title ${text} is wrong`);
      });
      const picture = new Picture(TITLE_BAR);
      if (isOne) addTitle(drawing, picture, text);
      drawing.requirePicture(
        domain,
        picture,
        `the title ${text}`,
        isOne ? 0 : (TITLE_BAR * SCREEN_WIDTH) / 8,
      );
      if (!drawn) throw new UnprovenClaim('the arrows are not drawn');
    }
  }
}

function titleWidth(drawing: Drawing, each: string): number {
  return drawing.module.memory[drawing.layout.widths + each.charCodeAt(0) - SPACE]!;
}

function addTitle(drawing: Drawing, picture: Picture, text: string): void {
  let x = MARGIN;
  for (const each of text) {
    const glyph = drawing.layout.titleGlyphs + (each.charCodeAt(0) - SPACE) * TITLE_HEIGHT;
    for (let row = 0; row < TITLE_HEIGHT; row++)
      for (let pixel = 0; pixel < 8; pixel++)
        picture.flip(x + pixel, TITLE_Y + row, (drawing.module.memory[glyph + row]! >> (7 - pixel)) & 1);
    x += titleWidth(drawing, each);
  }
}

/** Returns the characters of a title, including digits of page numbers. */
function titleOf(drawing: Drawing, text: string, page: Word, pages: Word): Word[] {
  const characters: Word[] = [...text].map(each => each.charCodeAt(0));
  if (pages !== 1) {
    const number = (of: Word) => digitsOf(drawing.bits, of);
    characters.push(
      0x20,
      0x28,
      ...number(apply(drawing.bits, 'i32.add', page, 1)),
      0x2f,
      ...number(pages),
      0x29,
    );
  }
  if (characters.length > TITLE_LENGTH) throw new UnprovenClaim(`the title ${text} is too long`);
  return characters;
}

/** Proves that pages have arrows on both sides, and the first page only one to the right. */
export function proveArrowsOfPages(drawing: Drawing): void {
  const title = drawing.titles().find(({ text }) => text === '');
  for (const item of [0, 1])
    for (const page of [0, 1]) {
      const domain = drawing.page(title!.address, title!.place, page, 1, 0);
      domain.write(drawing.layout.position + POSITION.item, 4, item);
      let drawn = 0;
      domain.stubs.set(drawing.index('drawArrows'), given => {
        requireSame(given, [Math.max(item, page), 1], 'drawArrows is called with wrong arguments');
        drawn++;
        return [];
      });
      drawing.run(domain, 'drawItemPage', [drawing.layout.items]);
      if (drawn !== 1) throw new UnprovenClaim('the arrows are not drawn exactly once');
    }
}

export function proveArrows(drawing: Drawing): void {
  for (const left of [0, 1])
    for (const right of [0, 1]) {
      const domain = drawing.domain();
      drawing.run(domain, 'drawArrows', [left, right]);
      const picture = new Picture();
      for (let row = 0; row < ARROW_HEIGHT; row++) {
        const width = Math.min(row + 1, ARROW_HEIGHT - row);
        for (let i = 0; i < width; i++) {
          if (left) picture.flip(2 - i, 59 + row, 1);
          if (right) picture.flip(125 + i, 59 + row, 1);
        }
      }
      drawing.requirePicture(domain, picture, 'arrows');
    }
}

/** Proves words in large type. */
export function proveLarge(drawing: Drawing): void {
  const title = drawing.titles().find(({ text }) => text === '');
  for (let length = 0; length <= LONGEST_LARGE; length++) {
    const domain = drawing.page(title!.address, title!.place, 0, 1, length);
    drawing.readText(domain, 'value');
    domain.stubs.set(drawing.index('drawArrows'), () => []);
    const left = Math.trunc((SCREEN_WIDTH - 2 * length * VALUE_WIDTH) / 2);
    const reports = [
      [drawing.layout.title, 0, MARGIN, TITLE_Y, 0, TITLE_HEIGHT],
      [VALUE, length, left, LARGE_Y, 2 * length * VALUE_WIDTH, 2 * VALUE_HEIGHT],
    ];
    drawing.runReported(domain, 'drawItemPage', [drawing.layout.items], false, reports);
    const picture = new Picture();
    for (let i = 0; i < length; i++)
      drawing.addGlyph(domain, picture, character(`text ${i}`), left + 2 * i * VALUE_WIDTH, LARGE_Y, 2);
    drawing.requirePicture(
      domain,
      picture,
      `a large word of ${length} characters`,
      (TITLE_BAR * SCREEN_WIDTH) / 8,
    );
  }
}

/**
 * Pairs of a page number and a number of pages: the only page, then a page of several, with one pair for each
 * combination of their numbers of digits.
 */
function pageNumbers(): [page: Word, pages: Word][] {
  const found: [Word, Word][] = [[0, 1]];
  const ranges = [1, 10, 100].map(low => [low, Math.min(10 * low - 1, MOST_PAGES)] as const);
  for (const [from, to] of ranges)
    for (const [low, high] of ranges)
      if (from <= low) found.push([count('page', from - 1, to - 1), count('pages', Math.max(low, 2), high)]);
  return found;
}

/** Returns the digits of a number with a known number of digits. */
function digitsOf(bits: Bits, number: Word): Word[] {
  const high = isNumber(number) ? number : number.kind === 'scaled' ? number.of.high + number.plus : 0;
  const units = [100, 10, 1].filter(each => each <= high);
  return units.map(unit => {
    const digit = apply(bits, 'i32.rem_u', apply(bits, 'i32.div_u', number, unit), 10);
    return apply(bits, 'i32.add', digit, 0x30);
  });
}
