// Proves that the lines of values, and the lines of pages with two lines, are drawn correctly.
import { SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import { ITEM_SIZE } from '../amounts/layout.js';
import { UnprovenClaim } from '../control.js';
import { count, type Drawing, MARGIN, requireSame, VALUE } from './drawing.js';
import { COLUMNS, canvas, ITEM, linesOf, tables, VALUE_HEIGHT, VALUE_WIDTH } from './layout.js';
import { indexOf, LINES, offset } from './paging.js';
import { Picture } from './picture.js';
import { character } from './picture-domain.js';
import { isNumber, type Variable, type Word } from './word.js';

const FIRST_LINE_Y = 11;
const LINE_PITCH = 12;
const CENTERED_Y = [18, 34];
const LINE_FEED_MARK = 0x7f;

/** Proves lines of 0 to 21 characters, at every position of a line. */
export function proveRows(drawing: Drawing): void {
  const centered = (length: number) => Math.trunc((SCREEN_WIDTH - length * VALUE_WIDTH) / 2);
  const pointer: Word = { kind: 'place', name: 'text', plus: 0 };
  for (let length = 0; length <= COLUMNS; length++) {
    const places = [
      ...Array.from({ length: LINES }, (_, i) => [MARGIN, FIRST_LINE_Y + i * LINE_PITCH] as const),
      ...CENTERED_Y.map(y => [centered(length), y] as const),
    ];
    for (const [x, y] of places) {
      const domain = drawing.domain();
      drawing.readText(domain, 'text');
      const report = [pointer, length, x, y, length * VALUE_WIDTH, VALUE_HEIGHT];
      const isSilent = (length + y) % 2 === 0;
      drawing.runReported(domain, 'drawRow', [x, y, pointer, length], isSilent, length > 0 ? [report] : []);
      const picture = new Picture();
      for (let i = 0; i < length; i++)
        drawing.addGlyph(domain, picture, shown(i, length), x + i * VALUE_WIDTH, y);
      drawing.requirePicture(domain, picture, `a line of ${length}`);
    }
  }
}

/** Returns a character of a line, or the mark of a leading or trailing space. */
function shown(i: number, length: number): Word {
  const any = character(`text ${i}`);
  if ((i !== 0 && i !== length - 1) || isNumber(any) || any.kind !== 'scaled') return any;
  const of: Variable = { ...any.of, isMarked: true };
  return { ...any, of };
}

export function proveLines(drawing: Drawing): void {
  for (let count = 0; count <= LINES; count++) {
    if (count < LINES) proveLine(drawing, count, -1, 0, false, false);
    else
      for (let line = 0; line < LINES; line++)
        for (let length = 0; length <= COLUMNS; length++)
          for (const isInverse of [false, true])
            for (const isEnded of [false, true]) proveLine(drawing, count, line, length, isInverse, isEnded);
  }
}

/**
 * Proves one line of a page of `count` lines; if there are four, more lines follow. This line has `length`
 * characters, and the others are empty.
 */
function proveLine(
  drawing: Drawing,
  count: number,
  line: number,
  length: number,
  isInverse: boolean,
  isEnded: boolean,
): void {
  const item = drawing.layout.items;
  const domain = drawing.domain([
    ...canvas(drawing.layout),
    ...tables(drawing.layout),
    { start: item, length: ITEM_SIZE, isWritable: false },
  ]);
  domain.write(item + ITEM.value, 4, VALUE);
  domain.write(item + ITEM.length, 4, { kind: 'place', name: 'length', plus: 0 });
  domain.write(item + ITEM.inverse, 1, isInverse ? 1 : 0);
  const lengthOf = (i: number) => (i === line ? length : 0);
  const endsAt = (i: number) => i === line && isEnded;
  domain.isLess = ([a, b]) => {
    if (isNumber(a as Word) || isNumber(b as Word)) throw new UnprovenClaim('wrong addresses are compared');
    const [x, y] = [a, b] as [{ name: string; plus: number }, { name: string; plus: number }];
    const [i, j] = [indexOf(x.name), indexOf(y.name)];
    if (i !== undefined && x.plus === 0 && y.name === 'length' && y.plus === 0)
      return i < count || count === LINES;
    if (i === undefined || j !== i + 1 || y.plus !== 0 || x.plus !== lengthOf(i))
      throw new UnprovenClaim('wrong addresses are compared');
    return endsAt(i);
  };
  let [drawn, next, measured] = [0, 0, 0];
  domain.stubs.set(drawing.index('nextLine'), ([of, from]) => {
    requireSame([of!, from!], [item, offset(next)], 'nextLine is called with wrong arguments');
    return [offset(++next)];
  });
  domain.stubs.set(drawing.index('lineLength'), ([of, from]) => {
    requireSame([of!, from!], [item, offset(measured)], 'lineLength is called with wrong arguments');
    return [lengthOf(measured++)];
  });
  domain.stubs.set(drawing.index('drawRow'), ([x, y, pointer, characters]) => {
    const at: Word = { kind: 'place', name: ['value', `offset ${drawn}`].sort().join(' + '), plus: 0 };
    const expected = [MARGIN, FIRST_LINE_Y + drawn * LINE_PITCH, at, lengthOf(drawn)];
    requireSame([x!, y!, pointer!, characters!], expected, 'drawRow is called with wrong arguments');
    drawn++;
    return [];
  });
  drawing.run(domain, 'page/drawLines', [item, offset(0)]);
  if (drawn !== count || next !== count || measured !== count)
    throw new UnprovenClaim(`of a page with ${count} lines, ${drawn} are drawn`);
  const picture = new Picture();
  if (line >= 0) {
    const y = FIRST_LINE_Y + line * LINE_PITCH;
    if (isInverse)
      for (let row = 0; row < VALUE_HEIGHT; row++)
        for (let x = 0; x < length * VALUE_WIDTH; x++) picture.flip(MARGIN + x, y + row, 1);
    if (isEnded && length < COLUMNS)
      drawing.addGlyph(domain, picture, LINE_FEED_MARK, MARGIN + length * VALUE_WIDTH, y);
    else if (isEnded) {
      for (let row = 4; row < 9; row++) picture.flip(SCREEN_WIDTH - 1, y + row, 1);
      picture.flip(SCREEN_WIDTH - 2, y + 8, 1);
    }
  }
  drawing.requirePicture(domain, picture, `line ${line} of ${length}`);
}

/** Proves pages of two lines. The upper line is any literal; the lower line is the content of the line buffer. */
export function provePlainPages(drawing: Drawing): void {
  const { title, line } = drawing.layout;
  for (const { address, text, place } of linesOf(drawing.literals))
    for (const length of text === '' ? Array.from({ length: COLUMNS + 1 }, (_, i) => i) : [1]) {
      const domain = drawing.domain([...canvas(drawing.layout), place]);
      const rows = [
        [title, text.length],
        [line, length],
      ] as const;
      let drawn = 0;
      domain.stubs.set(drawing.index('drawArrows'), () => []);
      domain.stubs.set(drawing.index('drawRow'), given => {
        const [pointer, characters] = rows[drawn]!;
        const x = Math.trunc((SCREEN_WIDTH - characters * VALUE_WIDTH) / 2);
        requireSame(
          given,
          [x, CENTERED_Y[drawn]!, pointer, characters],
          'a line is drawn with wrong arguments',
        );
        drawn++;
        return [];
      });
      drawing.run(domain, 'drawUnderTitle', [address, length, count('left', 0, 1), count('right', 0, 1)]);
      if (drawn !== rows.length) throw new UnprovenClaim('a line is missing');
      [...text].forEach((each, i) => {
        requireSame([domain.peek(title + i)], [each.charCodeAt(0)], `the title ${text} is wrong`);
      });
    }
}
