import { seedFromMnemonic, TEST_MNEMONIC } from '@zbc-signer/chain';
import { parseSeed } from '#emulator/device/seed.js';

// The words and the seed are from the BIP-39 test vectors.
const WINNER = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** BIP-39 according to the chain's JavaScript. */
const seedOf = (mnemonic: string) => Buffer.from(seedFromMnemonic(mnemonic)).toString('hex');
const parsed = (text: string) => Buffer.from(parseSeed(text)).toString('hex');

describe('parseSeed', () => {
  test.each([TEST_MNEMONIC, WINNER])('derives the seed of "%s"', mnemonic => {
    expect(parsed(mnemonic)).toBe(seedOf(mnemonic));
    expect(parsed(`  ${mnemonic.replaceAll(' ', '   ')}\n`)).toBe(seedOf(mnemonic));
  });

  test('accepts 128 hexadecimal digits', () => {
    expect(parsed(`hex:${'0aF5'.repeat(32)}`)).toBe('0af5'.repeat(32));
  });

  test('gives each caller a separate seed', () => {
    parseSeed(TEST_MNEMONIC).fill(0);
    expect(parsed(TEST_MNEMONIC)).toBe(seedOf(TEST_MNEMONIC));
  });

  test.each([
    '',
    'abandon',
    WINNER.replace('yellow', 'thank'),
    'hex:',
    `hex:${'0'.repeat(127)}`,
    `hex:${'g'.repeat(128)}`,
  ])('refuses "%s"', text =>
    expect(() => parseSeed(text)).toThrow(expect.objectContaining({ code: 'BAD_SEED' })),
  );

  test.each([WINNER.replace('yellow', 'thank'), `hex:${'c0ffee'.repeat(21)}`])(
    'does not repeat a rejected seed in the error: "%s"',
    text => {
      let message = '';
      try {
        parseSeed(text);
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).toMatch(/seed/);
      expect(message).not.toMatch(/legal|winner|c0ffee/);
    },
  );
});
