import type { Module } from '../fault.js';

/** How items become pages, pixels and decisions. */
export const screen: Module = {
  name: 'screen',
  guards: 'docs/TRANSACTION.md#pages',
  guardsByFile: {
    'flow.ts': 'docs/TRANSACTION.md#decision-pages',
    'menu.ts': 'docs/TRANSACTION.md#menu',
  },
  directory: 'firmware/assembly/screen',
  tests: ['firmware/screens'],
  faults: [
    {
      name: 'approves on any page',
      file: 'flow.ts',
      find: 'if (position.isApprovePage(items)) return APPROVED;',
      replace: 'if (!position.isRejectPage(items)) return APPROVED;',
    },
    {
      name: 'approves with one button',
      file: 'flow.ts',
      find: 'if (button !== BOTH) return UNDECIDED;',
      replace: 'if (button === LEFT) return UNDECIDED;',
    },
    {
      name: 'approves on the reject page',
      file: 'flow.ts',
      find: 'return position.isRejectPage(items) ? REJECTED : UNDECIDED;',
      replace: 'return position.isRejectPage(items) ? APPROVED : UNDECIDED;',
    },
    {
      name: 'rejects on the approve page',
      file: 'flow.ts',
      find: 'if (position.isApprovePage(items)) return APPROVED;',
      replace: 'if (position.isApprovePage(items)) return REJECTED;',
    },
    {
      name: 'skips every other item',
      file: 'flow.ts',
      find: 'this.enter(items, this.item + 1);',
      replace: 'this.enter(items, min(this.item + 2, items.count));',
    },
    {
      name: 'skips the last page of an item',
      file: 'flow.ts',
      find: 'if (this.page + 1 < this.pages)',
      replace: 'if (this.page + 2 < this.pages)',
    },
    {
      name: 'opens a review at its second item',
      file: 'flow.ts',
      find: 'this.enter(items, 0);',
      replace: 'this.enter(items, 1);',
    },
    {
      name: 'goes from the first page back to the approve page',
      file: 'flow.ts',
      find: '    if (this.page === 0 && this.item === 0) return;\n    this.ahead += 1;\n    if (this.page > 0) {',
      replace:
        '    if (this.page === 0 && this.item === 0) {\n      this.ahead = 0;\n      this.enter(items, items.count);\n    } else if (this.page > 0) {',
    },
    {
      name: 'goes back to the first page of an item',
      file: 'flow.ts',
      find: '      this.page = this.pages - 1;\n',
      replace: '',
    },
    {
      name: 'counts a page too few',
      file: 'paginate.ts',
      find: 'let pages = 1;\n  for (let offset = nextPage(item, 0);',
      replace: 'let pages = 1;\n  for (let offset = nextPage(item, nextPage(item, 0));',
    },
    {
      name: 'breaks lines after 22 characters',
      file: 'paginate.ts',
      find: 'export const COLUMNS = 21;',
      replace: 'export const COLUMNS = 22;',
    },
    {
      name: 'draws a fifth line',
      file: 'paginate.ts',
      find: 'export const LINES = 4;',
      replace: 'export const LINES = 5;',
    },
    {
      name: 'swallows the space at which it breaks a line',
      file: 'paginate.ts',
      find: 'return end < item.length && character(item.value, end) === LINE_FEED ? end + 1 : end;',
      replace: 'return end < item.length && character(item.value, end) <= SPACE ? end + 1 : end;',
    },
    {
      name: 'takes two line feeds for one',
      file: 'paginate.ts',
      find: 'return end < item.length && character(item.value, end) === LINE_FEED ? end + 1 : end;',
      replace:
        'let next = end;\n  while (next < item.length && character(item.value, next) === LINE_FEED) next++;\n  return next;',
      tests: ['firmware/screens'],
    },
    {
      name: 'begins every page at the start of the value',
      file: 'paginate.ts',
      find: 'for (let i = 0; i < page; i++) offset',
      replace: 'for (let i = 1; i < page; i++) offset',
    },
    {
      name: 'shows no page numbers',
      file: 'page.ts',
      find: 'if (position.pages === 1) return length;',
      replace: 'return length;',
    },
    {
      name: 'draws an arrow that leads nowhere',
      file: 'page.ts',
      find: 'drawArrows(position.item !== 0 || position.page !== 0, true);',
      replace: 'drawArrows(true, true);',
    },
    {
      name: 'draws no arrow to the next page',
      file: 'draw.ts',
      find: 'if (right) invertBits(SCREEN_WIDTH - ARROW_WIDTH, y + row, bits);',
      replace: '',
    },
    {
      name: 'draws titles without their bar',
      file: 'draw.ts',
      find: 'fillRows(0, TITLE_BAR);',
      replace: '',
    },
    {
      name: 'draws other letters than it reports to harnesses',
      file: 'draw.ts',
      find: 'return VALUE_GLYPHS + (character - FIRST_CHARACTER) * VALUE_HEIGHT;',
      replace: 'return VALUE_GLYPHS + ((character ^ 1) - FIRST_CHARACTER) * VALUE_HEIGHT;',
    },
    {
      name: 'reports a line to harnesses and draws all but its last character',
      file: 'draw.ts',
      find: '  for (let i = 0; i < length; i++) {\n    drawGlyph(x + i * VALUE_WIDTH',
      replace: '  for (let i = 0; i < length - 1; i++) {\n    drawGlyph(x + i * VALUE_WIDTH',
    },
    {
      name: 'draws over the screen before',
      file: 'draw.ts',
      find: '  clearFrame();\n',
      replace: '',
    },
    {
      name: 'draws a title into the value below it',
      file: 'draw.ts',
      find: 'const TITLE_BAR = 10;',
      replace: 'const TITLE_BAR = 12;',
    },
    {
      name: 'shows a review page only to harnesses',
      file: 'page.ts',
      find: '  if (sumOfFrame() !== drawn) unreachable();\n  showFrame();\n',
      replace: '  if (sumOfFrame() !== drawn) unreachable();\n',
    },
    {
      name: 'wraps the idle menu',
      file: 'menu.ts',
      find: 'if (button === LEFT && hasLeft(page)) return',
      replace: 'if (button === LEFT) return page === MENU_READY ? last :',
    },
    {
      name: 'draws a binary form as text',
      guards: 'docs/TRANSACTION.md#marks',
      file: 'draw.ts',
      find: '  if (inverse) invertCells(y, length);\n',
      replace: '',
    },
    {
      name: 'draws a line feed behind a full line as nothing',
      guards: 'docs/TRANSACTION.md#marks',
      file: 'draw.ts',
      find: '    invertBits(SCREEN_WIDTH - 2, y + NARROW_MARK_Y + row, bits);\n',
      replace: '',
    },
    {
      name: 'draws a space at the end of a line as nothing',
      guards: 'docs/TRANSACTION.md#marks',
      file: 'draw.ts',
      find: 'index === 0 || index === length - 1',
      replace: 'index === 0',
    },
  ],
};
