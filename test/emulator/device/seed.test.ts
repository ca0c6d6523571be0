import { seedFromMnemonic, TEST_MNEMONIC } from '@zbc-signer/chain';
import { parseSeed } from '#emulator/device/seed.js';

// From the BIP-39 test vectors.
const WINNER = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** BIP-39 according to the chain's JavaScript. */
const seedOf = (mnemonic: string) => Buffer.from(seedFromMnemonic(mnemonic)).toString('hex');
const parsed = (text: string) => Buffer.from(parseSeed(text)).toString('hex');

describe('parseSeed', () => {
  it.each([TEST_MNEMONIC, WINNER])('derives the seed of "%s"', mnemonic => {
    expect(parsed(mnemonic)).toBe(seedOf(mnemonic));
    expect(parsed(`  ${mnemonic.replaceAll(' ', '   ')}\n`)).toBe(seedOf(mnemonic));
  });

  it('takes 128 hexadecimal digits', () => {
    expect(parsed(`hex:${'0aF5'.repeat(32)}`)).toBe('0af5'.repeat(32));
  });

  it('gives each caller a separate seed', () => {
    parseSeed(TEST_MNEMONIC).fill(0);
    expect(parsed(TEST_MNEMONIC)).toBe(seedOf(TEST_MNEMONIC));
  });

  it.each([
    '',
    'abandon',
    WINNER.replace('yellow', 'thank'),
    'hex:',
    `hex:${'0'.repeat(127)}`,
    `hex:${'g'.repeat(128)}`,
  ])('refuses "%s"', text =>
    expect(() => parseSeed(text)).toThrow(expect.objectContaining({ code: 'BAD_SEED' })),
  );

  it.each([WINNER.replace('yellow', 'thank'), `hex:${'c0ffee'.repeat(21)}`])(
    'repeats nothing of what it refuses: "%s"',
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
