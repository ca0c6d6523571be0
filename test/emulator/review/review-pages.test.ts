import { isApprovePage, isRejectPage, joinPages } from '#emulator/review/review-pages.js';

describe('joinPages', () => {
  test('joins lines and numbered pages with nothing between them', () => {
    expect(
      joinPages([
        ['Type', 'Send ZBC'],
        ['Message (1/3)', 'ab', 'cd'],
        ['Message (2/3)', 'ef'],
        ['Message (3/3)', ' gh'],
        ['Fee', '0.025 ZBC'],
      ]),
    ).toEqual([
      ['Type', 'Send ZBC'],
      ['Message', 'abcdef gh'],
      ['Fee', '0.025 ZBC'],
    ]);
  });

  test('keeps the rest of an item that began on an earlier page', () => {
    expect(joinPages([['Message (2/2)', 'end']])).toEqual([['Message', 'end']]);
  });

  test.each([
    ['a page is missing', ['1/3', '3/3'], ['Message (1/3)', 'Message (3/3)']],
    ['the last page is missing', ['1/3', '2/3'], ['Message (2/3)']],
    ['a page appears twice', ['1/2', '1/2', '2/2'], ['Message (1/2)', 'Message']],
    ['the pages are in the wrong order', ['2/2', '1/2'], ['Message (2/2)', 'Message (1/2)']],
    ['the count changes', ['1/2', '2/3'], ['Message (1/2)', 'Message (2/3)']],
    ['there are more pages than the title says', ['1/2', '2/2', '3/2'], ['Message (3/2)']],
    ['a page is numbered 0', ['0/2', '1/2', '2/2'], ['Message (0/2)', 'Message']],
  ])('does not hide that %s', (_, numbers, titles) => {
    const pages = numbers.map(number => [`Message (${number})`, 'x']);
    expect(joinPages(pages, true).map(([title]) => title)).toEqual(titles);
  });

  test('reads a value that looks like a numbered title as text', () => {
    expect(joinPages([['Message', 'Fee (2/2)', 'x']])).toEqual([['Message', 'Fee (2/2)x']]);
  });
});

describe('the last two pages', () => {
  test.each(['transaction', 'message'])('are recognized for a %s', what => {
    expect(isApprovePage([`Sign ${what}`, 'approve: press both'])).toBe(true);
    expect(isRejectPage([`Reject ${what}`, 'press both to reject'])).toBe(true);
  });

  test('are not confused with an item that quotes them', () => {
    expect(isApprovePage(['Message', 'approve: press both'])).toBe(false);
    expect(isApprovePage(['Message', 'Approve', 'approve: press both'])).toBe(false);
    expect(isRejectPage(['Escrow decision', 'REJECT'])).toBe(false);
  });
});
