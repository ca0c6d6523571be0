import { accountFromPublicKey, encodeTransaction } from '../../chain/src/index.js';
import { Emulator } from '../../emulator/src/index.js';
import { SEND_ZBC } from '../../protocol/transaction-types.js';
import { getPublicKey, send, signMessage, signTransaction } from '../support/apdu.js';
import { pixelsOf } from '../support/bitmap-font.js';
import { readText } from '../support/repository.js';
import { accounts, transactions } from '../support/vectors.js';

const COLUMNS = 21;
const LINES = 4;
const plainSend = transactions.cases[0]!;
const [KNOWN] = JSON.parse(readText('firmware/networks.json')) as [{ name: string; genesis_hash: string }];

let emulator: Emulator;
beforeEach(async () => {
  emulator = await Emulator.start();
});
afterEach(() => emulator.stop());

const exchange = (bytes: Uint8Array) => emulator.exchange(bytes);
function press(...buttons: ('left' | 'right' | 'both')[]): void {
  for (const button of buttons) emulator.press(button);
}

async function startReview(apdus: Uint8Array[]): Promise<{ done: ReturnType<typeof send> }> {
  const done = send(exchange, apdus);
  // When an expectation fails first, stopping the emulator rejects what still waits.
  done.catch(() => undefined);
  await emulator.waitForReview();
  return { done };
}

/** The texts of every page up to the approve page, by pressing right. */
function walk(): string[][] {
  const pages: string[][] = [];
  while (emulator.texts()[1] !== 'approve: press both') {
    pages.push(emulator.texts());
    press('right');
  }
  return pages;
}

async function messagePages(text: string): Promise<string[][]> {
  const { done } = await startReview(signMessage(0, Buffer.from(text)));
  const pages = walk().slice(1);
  await emulator.reject();
  await done;
  return pages;
}

function litPixels(): Set<string> {
  const lit = new Set<string>();
  emulator.frame().forEach((byte, index) => {
    for (let bit = 0; bit < 8; bit++) {
      if (byte & (0x80 >> bit)) lit.add(`${(index % 16) * 8 + bit},${Math.floor(index / 16)}`);
    }
  });
  return lit;
}

/** Only what lies in these rows. */
const rows = (pixels: Set<string>, from: number, to: number) =>
  new Set(
    [...pixels].filter(pixel => Number(pixel.split(',')[1]) >= from && Number(pixel.split(',')[1]) < to),
  );

describe('the idle menu', () => {
  test('shows name, settings and version, and does not wrap', () => {
    const seen = [emulator.texts()];
    for (const button of ['left', 'right', 'right', 'right', 'left', 'left', 'both'] as const) {
      press(button);
      seen.push(emulator.texts());
    }
    const [ready, settings, version] = [['ZBC Signer', 'is ready'], ['Settings'], ['Version', '1.0.0']];
    expect(seen).toEqual([ready, ready, settings, version, version, settings, ready, ready]);
  });

  test('toggles and leaves the setting', () => {
    press('right', 'both');
    expect(emulator.texts()).toEqual(['Unknown chains', 'allowed']);
    press('both');
    expect(emulator.texts()).toEqual(['Unknown chains', 'refused']);
    press('both');
    expect(emulator.texts()).toEqual(['Unknown chains', 'allowed']);
    press('left');
    expect(emulator.texts()).toEqual(['Settings']);
  });
});

describe('the setting "refuse unknown chains"', () => {
  const status = async () => {
    const { status, data } = await send(exchange, signTransaction(plainSend));
    return `${status} ${data.toString('hex')}`;
  };

  test('is off by default, is stored, and refuses before anything is shown', async () => {
    expect(emulator.settings).toBeUndefined();
    press('right', 'both', 'both', 'left', 'left');
    expect(emulator.settings).toHaveLength(16);
    const menu = emulator.frame();
    expect(await status()).toBe('6985 0004000a');
    expect(emulator.frame()).toEqual(menu);
  });

  test('still takes the chain that the device knows', async () => {
    press('right', 'both', 'both');
    const { done } = await startReview(signTransaction({ ...plainSend, genesis: KNOWN.genesis_hash }));
    await emulator.reject();
    expect((await done).status).toBe('6985');
  });

  test('survives power-off and shows in the version flags', async () => {
    press('right', 'both', 'both');
    const restarted = await Emulator.start({ settings: emulator.settings });
    const reply = await restarted.exchange(Buffer.from('e003000000', 'hex'));
    expect(reply[4]).toBe(1);
    restarted.stop();
  });

  test('is off when what the platform stored is foreign', async () => {
    const foreign = await Emulator.start({ settings: new Uint8Array(16).fill(1) });
    expect((await foreign.exchange(Buffer.from('e003000000', 'hex')))[4]).toBe(0);
    foreign.stop();
  });
});

describe('a review', () => {
  test('moves a page at a time, does not wrap, and acts on its last two pages only', async () => {
    const { done } = await startReview(signTransaction(plainSend));
    const first = emulator.frame();
    press('left', 'both');
    expect(emulator.frame()).toEqual(first);
    const titles = walk().map(texts => texts[0]);
    expect(titles).toEqual(plainSend.expect.review.map(([title]) => title));
    expect(emulator.texts()).toEqual(['Sign transaction', 'approve: press both']);
    press('right');
    expect(emulator.texts()).toEqual(['Reject transaction', 'press both to reject']);
    press('right');
    expect(emulator.texts()).toEqual(['Reject transaction', 'press both to reject']);
    press('left', 'left');
    expect(emulator.texts()[0]).toBe('Total leaving');
    press('both');
    expect(emulator.texts()[0]).toBe('Total leaving');
    press('right', 'both');
    expect((await done).status).toBe('9000');
    expect(emulator.texts()).toEqual(['ZBC Signer', 'is ready']);
  });

  test('is not approved by any press on a page before the last two', async () => {
    const { done } = await startReview(signTransaction(plainSend));
    for (let page = 0; page < plainSend.expect.review.length; page++) {
      press('both');
      expect(emulator.reviewing).toBe(true);
      press('right');
    }
    press('both');
    expect((await done).status).toBe('9000');
  });

  test('goes back through the pages of an item in reverse', async () => {
    const { done } = await startReview(signMessage(0, Buffer.from('x'.repeat(200))));
    const forward = walk();
    const back: string[][] = [];
    for (let page = 0; page < forward.length; page++) {
      press('left');
      back.unshift(emulator.texts());
    }
    expect(back).toEqual(forward);
    await emulator.reject();
    await done;
  });

  test.each([
    ['a message', signMessage(0, Buffer.from('hi')), 'Sign message', 'Reject message'],
    ['an address', [getPublicKey(0, true)], 'Approve', 'Reject'],
  ])('of %s ends with its own words', async (_what, apdus, approve, reject) => {
    const { done } = await startReview(apdus);
    walk();
    expect(emulator.texts()).toEqual([approve, 'approve: press both']);
    press('right');
    expect(emulator.texts()).toEqual([reject, 'press both to reject']);
    press('both');
    expect((await done).status).toBe('6985');
  });
});

describe('the arrows', () => {
  const BELOW_THE_LINES = 59;

  /** Whether there is one at the left and at the right edge. */
  function arrows(): [left: boolean, right: boolean] {
    const columns = [...rows(litPixels(), BELOW_THE_LINES, 64)].map(pixel => Number(pixel.split(',')[0]));
    return [columns.some(x => x < 3), columns.some(x => x >= 125)];
  }

  test('say where the buttons lead on each page of a review', async () => {
    const { done } = await startReview(signMessage(0, Buffer.from('\n'.repeat(7))));
    const seen = [arrows()];
    for (let page = 0; page < 4; page++) {
      press('right');
      seen.push(arrows());
    }
    expect(emulator.texts()[0]).toBe('Reject message');
    expect(seen).toEqual([
      [false, true],
      [true, true],
      [true, true],
      [true, true],
      [true, false],
    ]);
    press('both');
    await done;
  });

  test('say where the buttons lead in the menu', () => {
    const seen = [arrows()];
    for (const _ of ['Settings', 'Version']) {
      press('right');
      seen.push(arrows());
    }
    expect(seen).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ]);
  });
});

describe('the network', () => {
  const networkOf = async (genesis: string) => {
    const { done } = await startReview(signTransaction({ ...plainSend, genesis }));
    const [title, ...lines] = emulator.texts();
    await emulator.reject();
    await done;
    return `${title}: ${lines.join('')}`;
  };

  test('has its name only when every byte of the hash is right', async () => {
    const hash = Buffer.from(KNOWN.genesis_hash, 'hex');
    expect(await networkOf(hash.toString('hex'))).toBe(`Network: ${KNOWN.name}`);
    for (let at = 0; at < 32; at++) {
      const other = Buffer.from(hash.map((byte, i) => (i === at ? byte ^ 0x80 : byte))).toString('hex');
      expect(await networkOf(other)).toBe(`Network: UNKNOWN CHAIN ${other.slice(0, 8)}`);
    }
  });
});

describe('a time', () => {
  const OWN = accountFromPublicKey(Buffer.from(accounts.cases[0]!.public_key, 'hex'));

  async function shownTimeout(timeout: bigint): Promise<string | undefined> {
    const terms = { commission: 0n, timeout, instruction: new Uint8Array(), multiParty: false };
    const send = { type: SEND_ZBC, amount: 1n, fee: 1n, timestamp: 1n, message: new Uint8Array() } as const;
    const escrow = { approver: OWN, ...terms };
    const bytes = encodeTransaction({ ...send, sender: OWN, recipient: OWN, escrow });
    const tx = Buffer.from(bytes).toString('hex');
    const { done } = await startReview(signTransaction({ account: 0, genesis: plainSend.genesis, tx }));
    const items = new Map(await emulator.review());
    await emulator.reject();
    await done;
    return items.get('Escrow timeout');
  }

  test.each([
    '1970-01-01 00:00:02',
    '1999-12-31 23:59:59',
    '2000-02-29 12:34:56',
    '2000-03-01 00:00:00',
    '2027-01-15 08:00:00',
    '2099-12-31 23:59:59',
    '2100-02-28 23:59:59',
    '2100-03-01 00:00:00',
    '2400-02-29 00:00:00',
    '9999-12-31 23:59:59',
  ])('%s is shown as it is written', async text => {
    const seconds = BigInt(Date.parse(`${text.replace(' ', 'T')}Z`)) / 1000n;
    expect(await shownTimeout(seconds)).toBe(`${text} UTC`);
  });

  test.each([253402300800n, 2n ** 63n, 2n ** 64n - 1n])(
    'past the year 9999 is a number: %s',
    async seconds => {
      expect(await shownTimeout(seconds)).toBe(`${seconds} (Unix seconds)`);
    },
  );
});

describe('a value', () => {
  const samples: [string, string][] = [
    ['one character', 'a'],
    ['a full line', 'x'.repeat(COLUMNS)],
    ['one more than a line', 'x'.repeat(COLUMNS + 1)],
    ['a full page', 'x'.repeat(COLUMNS * LINES)],
    ['one more than a page', 'x'.repeat(COLUMNS * LINES + 1)],
    [
      'words',
      'the quick brown fox jumps over the lazy dog and then runs away from it all as fast as it can ',
    ],
    ['spaces only', ' '.repeat(100)],
    ['underscores only', '_'.repeat(100)],
    ['line feeds only', '\n'.repeat(40)],
    ['line feeds around text', '\n\nfirst\n\nsecond\n'],
    ['a line feed behind a full line', `${'y'.repeat(COLUMNS)}\nz`],
    ['the longest message', `${'0123456789abcdef'.repeat(128)}`],
    ['the most pages', '\n'.repeat(2048)],
  ];

  test.each(samples)('of %s is shown whole, in lines and pages that fit', async (_what, text) => {
    const pages = await messagePages(text);
    const lines = pages.flatMap(([, ...values]) => values);
    expect(lines.join('')).toBe(text.replaceAll('\n', ''));
    expect(Math.max(0, ...lines.map(line => line.length))).toBeLessThanOrEqual(COLUMNS);
    expect(Math.max(...pages.map(page => page.length - 1))).toBeLessThanOrEqual(LINES);
    const wanted = pages.map((_, i) =>
      pages.length === 1 ? 'Message' : `Message (${i + 1}/${pages.length})`,
    );
    expect(pages.map(([title]) => title)).toEqual(wanted);
  });

  test('breaks at a line feed and nowhere else when its lines are short', async () => {
    expect(await messagePages('one\ntwo\nthree\nfour\nfive')).toEqual([
      ['Message (1/2)', 'one', 'two', 'three', 'four'],
      ['Message (2/2)', 'five'],
    ]);
  });

  test('breaks an address before an underscore, on one page', async () => {
    const { done } = await startReview([getPublicKey(0, true)]);
    expect(emulator.texts()).toEqual([
      'Address',
      'ZBC_L2HLFDOM_VKKKTEXX',
      '_C2P2M6LG_EB6ZNKSV',
      '_356SJUWW_5QPVHDE7',
      '_EFJA3PEX',
    ]);
    expect(emulator.texts().slice(1).join('')).toBe(accounts.cases[0]!.address);
    await emulator.reject();
    await done;
  });
});

describe('the pixels', () => {
  // Baselines of the rows that the layout gives to the title and the four value lines.
  const TITLE_BASELINE = 8;
  const LINE_BASELINES = [22, 34, 46, 58];
  const LARGE_TOP = 25;

  function linePixels(lines: string[]): Set<string> {
    const drawn = lines.map((line, i) => [...pixelsOf(line, 'value', 1, LINE_BASELINES[i]!)]);
    return new Set(drawn.flat());
  }

  /** Each pixel as a square of four, the word in the middle of the screen's width. */
  function largePixels(word: string): Set<string> {
    const left = 64 - 6 * word.length;
    const squares = [...pixelsOf(word, 'value', 0, 11)].flatMap(pixel => {
      const [x, y] = pixel.split(',').map(Number) as [number, number];
      return [0, 1, 2, 3].map(
        corner => `${left + 2 * x + (corner & 1)},${LARGE_TOP + 2 * y + (corner >> 1)}`,
      );
    });
    return new Set(squares);
  }

  /** Every page's pixels against its texts, drawn from the font's own file. */
  function expectPixelsOfPage(): void {
    const [title, ...lines] = emulator.texts();
    const bar = new Set<string>();
    for (let y = 0; y < 10; y++) for (let x = 0; x < 128; x++) bar.add(`${x},${y}`);
    for (const pixel of pixelsOf(title!, 'title', 1, TITLE_BASELINE)) bar.delete(pixel);
    expect(rows(litPixels(), 0, 10)).toEqual(bar);
    const value = title === 'Escrow decision' ? largePixels(lines[0]!) : linePixels(lines);
    expect(rows(litPixels(), 10, 59)).toEqual(rows(value, 10, 59));
    expect([...value].every(pixel => Number(pixel.split(',')[1]) < 60)).toBe(true);
  }

  test.each(transactions.cases.map(vector => [vector.name, vector] as const))(
    'of every page say what its texts say: %s',
    async (_name, vector) => {
      const { done } = await startReview(signTransaction(vector));
      while (emulator.texts()[1] !== 'approve: press both') {
        expectPixelsOfPage();
        press('right');
      }
      await emulator.reject();
      await done;
    },
  );

  test('of all printable characters differ from each other', () => {
    const drawn = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i)).map(character =>
      [...pixelsOf(character, 'value', 0, 9)].sort().join(' '),
    );
    expect(new Set(drawn).size).toBe(94);
  });

  test('of the longest title stay on the screen', async () => {
    const { done } = await startReview(signMessage(0, Buffer.from('\n'.repeat(2048))));
    press('right');
    expect(emulator.texts()[0]).toBe('Message (1/512)');
    expectPixelsOfPage();
    const widest = Math.max(
      ...[...pixelsOf('Escrow instruction (512/512)', 'title', 1, 8)].map(p => Number(p.split(',')[0])),
    );
    expect(widest).toBeLessThan(128);
    await emulator.reject();
    await done;
  });
});
