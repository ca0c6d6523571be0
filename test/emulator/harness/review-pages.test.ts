import { isApprovePage, isRejectPage, joinPages } from '#emulator/harness/review-pages.js';

describe('joinPages', () => {
  it('joins lines and numbered pages with nothing between them', () => {
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

  it('keeps what is left of an item that was begun before', () => {
    expect(joinPages([['Message (2/2)', 'end']])).toEqual([['Message', 'end']]);
  });

  it('takes a text in a value that looks like a numbered title as text', () => {
    expect(joinPages([['Message', 'Fee (2/2)', 'x']])).toEqual([['Message', 'Fee (2/2)x']]);
  });
});

describe('the last two pages', () => {
  it.each(['transaction', 'message'])('are known for a %s', what => {
    expect(isApprovePage([`Sign ${what}`, 'approve: press both'])).toBe(true);
    expect(isRejectPage([`Reject ${what}`, 'press both to reject'])).toBe(true);
  });

  it('are not taken from an item that quotes them', () => {
    expect(isApprovePage(['Message', 'approve: press both'])).toBe(false);
    expect(isApprovePage(['Message', 'Approve', 'approve: press both'])).toBe(false);
    expect(isRejectPage(['Escrow decision', 'REJECT'])).toBe(false);
  });
});
