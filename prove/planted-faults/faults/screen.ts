import type { Module } from '../fault.js';

/** Faults in pages, pixels and decisions. */
export const screen: Module = {
  name: 'screen',
  guards: 'docs/TRANSACTION.md#pages',
  guardsBy: {
    'flow.ts': 'docs/SPECIFICATION.md#decision-pages',
    'menu.ts': 'docs/SPECIFICATION.md#menu',
    'draws a binary form as text': 'docs/TRANSACTION.md#marks',
    'draws no mark for a line feed after a full line': 'docs/TRANSACTION.md#marks',
    'draws no mark for a space at the end of a line': 'docs/TRANSACTION.md#marks',
  },
  directory: 'firmware/assembly/screen',
  tests: ['firmware/screens'],
  testsBy: {
    'glyphs/font.ts': ['firmware/glyphs'],
  },
  faults: {
    'flow.ts': {
      'approves on any page': ['if (position.isApprovePage(items))', 'if (!position.isRejectPage(items))'],
      'approves with one button': ['if (button !== BOTH) return', 'if (button === LEFT) return'],
      'approves on the reject page': ['(items) ? REJECTED : UNDECIDED;', '(items) ? APPROVED : UNDECIDED;'],
      'rejects on the approve page': ['return APPROVED;', 'return REJECTED;'],
      'skips every other item': ['(items, this.item + 1);', '(items, min(this.item + 2, items.count));'],
      'skips the last page of an item': ['(this.page + 1 < this.pages)', '(this.page + 2 < this.pages)'],
      'opens a review at its second item': ['this.enter(items, 0);', 'this.enter(items, 1);'],
      'goes from the first page back to the approve page': [
        '    if (this.page === 0 && this.item === 0) return;\n    this.ahead += 1;\n    if (this.page > 0) {',
        '    if (this.page === 0 && this.item === 0) {\n      this.ahead = 0;\n      this.enter(items, items.count);\n    } else if (this.page > 0) {',
      ],
      'goes back to the first page of an item': '      this.page = this.pages - 1;\n',
    },
    'paginate.ts': {
      'counts one page too few': ['offset = nextPage(item, 0)', 'offset = nextPage(item, nextPage(item, 0))'],
      'breaks lines after 22 characters': ['export const COLUMNS = 21;', 'export const COLUMNS = 22;'],
      'draws a fifth line': ['export const LINES = 4;', 'export const LINES = 5;'],
      'drops the space at which it breaks a line': ['=== LINE_FEED ? end + 1', '<= SPACE ? end + 1'],
      'treats two line feeds as one': [
        'return end < item.length && character(item.value, end) === LINE_FEED ? end + 1 : end;',
        'let next = end;\n  while (next < item.length && character(item.value, next) === LINE_FEED) next++;\n  return next;',
      ],
      'begins every page at the start of the value': ['let i = 0; i < page; i', 'let i = 1; i < page; i'],
    },
    'page.ts': {
      'shows no page numbers': ['if (position.pages === 1) return length;', 'return length;'],
      'draws an arrow that leads nowhere': ['position.item !== 0 || position.page !== 0, true', 'true, true'],
    },
    'draw.ts': {
      'draws no arrow to the next page': 'if (right) invertBits(SCREEN_WIDTH - ARROW_WIDTH, y + row, bits);',
      'draws titles without their bar': 'fillRows(0, TITLE_BAR);',
      'draws other letters than it reports to test harnesses': ['character -', '(character ^ 1) -'],
      'reports a line to test harnesses and draws all except its last character': [
        '  for (let i = 0; i < length; i++) {\n    drawGlyph(x + i * VALUE_WIDTH',
        '  for (let i = 0; i < length - 1; i++) {\n    drawGlyph(x + i * VALUE_WIDTH',
      ],
      'draws over the previous screen': '  clearFrame();\n',
      'draws a title into the value below it': ['const TITLE_BAR = 10;', 'const TITLE_BAR = 12;'],
      'draws a binary form as text': '  if (inverse) invertCells(y, length);\n',
      'draws no mark for a line feed after a full line':
        '    invertBits(SCREEN_WIDTH - 2, y + NARROW_MARK_Y + row, bits);\n',
      'draws no mark for a space at the end of a line': ['0 || index === length - 1', '0'],
    },
    'menu.ts': {
      'wraps the idle menu': [
        'if (button === LEFT && hasLeft(page)) return',
        'if (button === LEFT) return page === MENU_READY ? last :',
      ],
    },
    'glyphs/font.ts': {
      'draws the digit 3 in titles with two wrong pixels': [
        '  224, 16, 16, 96, 16, 16, 224, 0, // 3\n',
        '  224, 16, 16, 32, 16, 16, 160, 0, // 3\n',
      ],
    },
  },
};
