import { FIELD_NAMES, REFUSAL_MESSAGES, refusalReason } from '@zbc-signer/chain';
import * as numbers from '@zbc-signer/protocol/refusal-reasons';

describe('the table of refusal reasons', () => {
  test.each(Object.entries(numbers))('has words for %s', (name, number) => {
    const reason = refusalReason(number) ?? 'truncated';
    expect(reason).toBe(name.toLowerCase().replaceAll('_', '-'));
    expect(REFUSAL_MESSAGES[reason]).toMatch(/\w{3}/);
  });

  test('has no other words, and no words twice', () => {
    const words = Object.values(REFUSAL_MESSAGES);
    expect(words).toHaveLength(Object.keys(numbers).length);
    expect(new Set(words).size).toBe(words.length);
  });

  test('has no reason for a number that the protocol does not define', () => {
    expect(refusalReason(0)).toBeUndefined();
    expect(refusalReason(Math.max(...Object.values(numbers)) + 1)).toBeUndefined();
  });

  test('names the header, the 11 rows of the wire format and the linked transaction', () => {
    expect(FIELD_NAMES).toHaveLength(13);
    expect([FIELD_NAMES[0], FIELD_NAMES[9], FIELD_NAMES[12]]).toEqual([
      'header',
      'escrow',
      'linked transaction',
    ]);
  });
});
