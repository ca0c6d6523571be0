import { accountFromPublicKey, encodeTransaction } from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import { SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { sha3 } from '../../testkit/crypto/sha3.js';
import {
  GET_APP_VERSION,
  getPublicKey,
  send,
  signMessage,
  signTransaction,
} from '../../testkit/device/apdu.js';
import { readText } from '../../testkit/repository/repository.js';
import { accounts, detailsCases, transactions } from '../../testkit/repository/vectors.js';
import { pixelsOf, pixelsOfMark } from '../../testkit/screen/bitmap-font.js';
import * as shown from './shown.js';

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

const startReview = (apdus: Uint8Array[]) => shown.startReview(emulator, apdus);
const readReview = <Found>(apdus: Uint8Array[], read: () => Found | Promise<Found>) =>
  shown.readReview(emulator, apdus, read);
const itemsOf = (apdus: Uint8Array[]) => shown.itemsOf(emulator, apdus);
const framesOf = (apdus: Uint8Array[]) => shown.framesOf(emulator, apdus);
/** Presses right until the approve page is shown. Returns the texts of every page before it. */
const walk = () => shown.walk(emulator, () => emulator.texts());

/** Turns details on from the first page of the menu. */
const showDetails = () => press('right', 'both', 'right', 'both');

const messagePages = (text: string) => readReview(signMessage(0, Buffer.from(text)), () => walk().slice(1));

function litPixels(): Set<string> {
  const lit = new Set<string>();
  emulator.frame().forEach((byte, index) => {
    for (let bit = 0; bit < 8; bit++) {
      if (byte & (0x80 >> bit)) lit.add(`${(index % 16) * 8 + bit},${Math.floor(index / 16)}`);
    }
  });
  return lit;
}

/** Returns only the pixels in these rows. */
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

  test('opens the settings, which do not wrap and are left by Back', () => {
    press('right', 'both');
    const seen = [emulator.texts()];
    for (const button of ['left', 'right', 'right', 'right', 'right', 'left', 'right', 'both'] as const) {
      press(button);
      seen.push(emulator.texts());
    }
    const [chains, details, contactsOnly] = [
      ['Unknown chains', 'allowed'],
      ['Details', 'hidden'],
      ['Contacts only', 'No'],
    ];
    expect(seen).toEqual([
      chains,
      chains,
      details,
      contactsOnly,
      ['Back'],
      ['Back'],
      contactsOnly,
      ['Back'],
      ['ZBC Signer', 'is ready'],
    ]);
  });

  test('toggles each setting without changing the others', () => {
    press('right', 'both', 'both');
    expect(emulator.texts()).toEqual(['Unknown chains', 'refused']);
    press('right');
    expect(emulator.texts()).toEqual(['Details', 'hidden']);
    press('both');
    expect(emulator.texts()).toEqual(['Details', 'shown']);
    press('left', 'both');
    expect(emulator.texts()).toEqual(['Unknown chains', 'allowed']);
    press('right');
    expect(emulator.texts()).toEqual(['Details', 'shown']);
    press('right', 'both');
    expect(emulator.texts()).toEqual(['Contacts only', 'Yes']);
    press('left');
    expect(emulator.texts()).toEqual(['Details', 'shown']);
    press('right', 'both');
    expect(emulator.texts()).toEqual(['Contacts only', 'No']);
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

  test('still accepts the chain that the device knows', async () => {
    press('right', 'both', 'both');
    const { done } = await startReview(signTransaction({ ...plainSend, genesis: KNOWN.genesis_hash }));
    await emulator.reject();
    expect((await done).status).toBe('6985');
  });

  test.each([
    ['allowed', 'hidden'],
    ['allowed', 'shown'],
    ['refused', 'hidden'],
    ['refused', 'shown'],
  ])('survives power-off together with the other setting: %s, %s', async (chains, details) => {
    press('right', 'both');
    if (chains === 'refused') press('both');
    press('right');
    if (details === 'shown') press('both');
    const restarted = await Emulator.start({ settings: emulator.settings });
    for (const button of ['right', 'both'] as const) restarted.press(button);
    expect(restarted.texts()).toEqual(['Unknown chains', chains]);
    restarted.press('right');
    expect(restarted.texts()).toEqual(['Details', details]);
    restarted.stop();
  });

  test('survives power-off and is reported in the flags of the version', async () => {
    press('right', 'both', 'both');
    const restarted = await Emulator.start({ settings: emulator.settings });
    const reply = await restarted.exchange(Buffer.from('e003000000', 'hex'));
    expect(reply[4]).toBe(1);
    restarted.stop();
  });

  test('is off when the platform stored something that is not a record of settings', async () => {
    const foreign = await Emulator.start({ settings: new Uint8Array(16).fill(1) });
    expect((await foreign.exchange(Buffer.from('e003000000', 'hex')))[4]).toBe(0);
    foreign.stop();
  });
});

describe('a record of settings with any bit wrong', () => {
  test('gives the defaults, which the Settings page reports until a setting is stored', async () => {
    press('right', 'both', 'both', 'right', 'both', 'right', 'both');
    const stored = emulator.settings!;
    for (let bit = 0; bit < 8 * stored.length; bit++) {
      const torn = stored.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
      const restarted = await Emulator.start({ settings: torn });
      restarted.press('right');
      expect(restarted.texts()).toEqual(['Settings', 'reset to defaults']);
      restarted.press('both');
      expect(restarted.texts()).toEqual(['Unknown chains', 'allowed']);
      restarted.press('right');
      expect(restarted.texts()).toEqual(['Details', 'hidden']);
      restarted.press('right');
      expect(restarted.texts()).toEqual(['Contacts only', 'No']);
      for (const button of ['both', 'right', 'both', 'right'] as const) restarted.press(button);
      expect(restarted.texts()).toEqual(['Settings']);
      restarted.stop();
    }
  });

  test.each([
    ['mark', 0],
    ['version', 1],
  ])('gives the defaults for another %s, even if its checksum is right', async (_what, at) => {
    press('right', 'both', 'both');
    const other = emulator.settings!.map((byte, index) => (index === at ? byte + 1 : byte));
    other.set(sha3(other.subarray(0, 12)).subarray(0, 4), 12);
    const restarted = await Emulator.start({ settings: other });
    expect((await restarted.exchange(GET_APP_VERSION))[4]).toBe(0);
    restarted.press('right');
    expect(restarted.texts()).toEqual(['Settings', 'reset to defaults']);
    restarted.stop();
  });

  test('does not report a reset for a new device or an intact record', async () => {
    press('right');
    expect(emulator.texts()).toEqual(['Settings']);
    press('both', 'both');
    const restarted = await Emulator.start({ settings: emulator.settings });
    restarted.press('right');
    expect(restarted.texts()).toEqual(['Settings']);
    restarted.stop();
  });
});

describe('with details shown', () => {
  test.each(detailsCases)(
    'a review shows whole hashes and the values that they stand for: $name',
    async request => {
      showDetails();
      expect(await itemsOf(signTransaction(request))).toEqual(request.expect.review);
    },
  );

  test.each(detailsCases)(
    'transactions with equal frames when details are hidden have different frames: $name',
    async request => {
      const [first, second] = [request, { ...request, ...request.alike }].map(signTransaction);
      expect(await framesOf(second!)).toEqual(await framesOf(first!));
      showDetails();
      expect(await framesOf(second!)).not.toEqual(await framesOf(first!));
    },
  );

  test('no hash is shown for a chain that has a name, or for a message that is text', async () => {
    showDetails();
    const text = transactions.cases.find(({ name }) => name === 'send, printable message')!;
    const review = await itemsOf(signTransaction({ ...text, genesis: KNOWN.genesis_hash }));
    expect(review.map(([title]) => title).filter(title => /hash/.test(title))).toEqual([]);
  });

  test.each([
    [999, false, ['Address']],
    [1000, false, ['Account index', 'Address']],
    [0, true, ['Account index', 'Address']],
  ])('an address confirmation of index %s, with details: %s, shows %s', async (index, areShown, wanted) => {
    if (areShown) showDetails();
    const review = await itemsOf([getPublicKey(index, true)]);
    expect(review.map(([title]) => title)).toEqual(wanted);
    if (wanted.length > 1) expect(review[0]).toEqual(['Account index', `${index}`]);
  });
});

describe('a review', () => {
  test('moves by one page per press, does not wrap, and can be decided only on its last two pages', async () => {
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

  test('goes back through the pages of an item in reverse', () =>
    readReview(signMessage(0, Buffer.from('x'.repeat(200))), () => {
      const forward = walk();
      const back: string[][] = [];
      for (let page = 0; page < forward.length; page++) {
        press('left');
        back.unshift(emulator.texts());
      }
      expect(back).toEqual(forward);
    }));

  test.each([
    ['a message', signMessage(0, Buffer.from('hi')), 'Sign message', 'Reject message'],
    ['an address', [getPublicKey(0, true)], 'Approve', 'Reject'],
  ])('of %s ends with its own wording of the two decisions', async (_what, apdus, approve, reject) => {
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

  /** Whether there is an arrow at the left and at the right edge. */
  function arrows(): [left: boolean, right: boolean] {
    const columns = [...rows(litPixels(), BELOW_THE_LINES, 64)].map(pixel => Number(pixel.split(',')[0]));
    return [columns.some(x => x < 3), columns.some(x => x >= 125)];
  }

  test('show which buttons lead to another page on each page of a review', async () => {
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

  test('show which buttons lead to another page in the menu', () => {
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
    const request = signTransaction({ ...plainSend, genesis });
    const [title, ...lines] = await readReview(request, () => emulator.texts());
    return `${title}: ${lines.join('')}`;
  };

  test('is shown by name only if every byte of its genesis hash is right', async () => {
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
    const items = await itemsOf(signTransaction({ account: 0, genesis: plainSend.genesis, tx }));
    return new Map(items).get('Escrow timeout');
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
  ])('%s is shown unchanged', async text => {
    const seconds = BigInt(Date.parse(`${text.replace(' ', 'T')}Z`)) / 1000n;
    expect(await shownTimeout(seconds)).toBe(`${text} UTC`);
  });

  test.each([253402300800n, 2n ** 63n, 2n ** 64n - 1n])(
    'after the year 9999 is shown as a number: %s',
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

  test.each(samples)('of %s is shown completely, in lines and pages that fit', async (_what, text) => {
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

  test('breaks only at line feeds if its lines are short', async () => {
    expect(await messagePages('one\ntwo\nthree\nfour\nfive')).toEqual([
      ['Message (1/2)', 'one', 'two', 'three', 'four'],
      ['Message (2/2)', 'five'],
    ]);
  });

  test('breaks an address before an underscore, on one page', async () => {
    const page = await readReview([getPublicKey(0, true)], () => emulator.texts());
    expect(page).toEqual([
      'Address',
      'ZBC_L2HLFDOM_VKKKTEXX',
      '_C2P2M6LG_EB6ZNKSV',
      '_356SJUWW_5QPVHDE7',
      '_EFJA3PEX',
    ]);
    expect(page.slice(1).join('')).toBe(accounts.cases[0]!.address);
  });
});

describe('the drawn pixels', () => {
  // Baselines of the title and the four value lines.
  const TITLE_BASELINE = 8;
  const LINE_BASELINES = [22, 34, 46, 58];
  const LARGE_TOP = 25;

  /** A line of a value, and whether it ends with a line feed. */
  interface Line {
    text: string;
    ended: boolean;
  }

  /** Shows leading and trailing spaces, and a line feed after the line, by their marks. */
  function linePixels({ text, ended }: Line, baseline: number): string[] {
    const drawn = [...text].map((character, at) => {
      const isEdge = at === 0 || at === text.length - 1;
      const x = 1 + 6 * at;
      return character === ' ' && isEdge
        ? pixelsOfMark('space', x, baseline)
        : pixelsOf(character, 'value', x, baseline);
    });
    return drawn.concat(ended ? [lineFeedPixels(text.length, baseline)] : []).flatMap(pixels => [...pixels]);
  }

  /** A line of 21 characters leaves two columns of the screen, enough for a small hook. */
  function lineFeedPixels(length: number, baseline: number): Set<string> {
    if (length < COLUMNS) return pixelsOfMark('line-feed', 1 + 6 * length, baseline);
    const top = baseline - 11 + 4;
    return new Set([0, 1, 2, 3, 4].map(row => `127,${top + row}`).concat(`126,${top + 4}`));
  }

  /** Draws a line of a value in binary form: dark characters in lit cells. */
  function inverted(pixels: string[], text: string, baseline: number): string[] {
    const lit = new Set<string>();
    for (let y = baseline - 11; y < baseline + 1; y++)
      for (let x = 1; x < 1 + 6 * text.length; x++) lit.add(`${x},${y}`);
    for (const pixel of pixels) lit.delete(pixel);
    return [...lit];
  }

  /** Removes the lines of the current page from the front of `rest`, the remaining value of the item. */
  function takeLines(rest: string): { lines: Line[]; rest: string } {
    const texts = emulator.texts().slice(1);
    const lines: Line[] = [];
    let left = rest;
    while (lines.length < LINES && left !== '') {
      const text = left.startsWith('\n') ? '' : texts.shift()!;
      expect(left.startsWith(text)).toBe(true);
      left = left.slice(text.length);
      const ended = left.startsWith('\n');
      lines.push({ text, ended });
      if (ended) left = left.slice(1);
    }
    return { lines, rest: left };
  }

  function valuePixels(lines: Line[], isBinary: boolean): Set<string> {
    return new Set(
      lines.flatMap((line, at) => {
        const pixels = linePixels(line, LINE_BASELINES[at]!);
        return isBinary ? inverted(pixels, line.text, LINE_BASELINES[at]!) : pixels;
      }),
    );
  }

  /** Doubles each pixel in both directions, with the word centred on the screen. */
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

  /** Compares the current page's pixels with its title and the drawn value. */
  function expectPixels(value: Set<string>): void {
    const bar = new Set<string>();
    for (let y = 0; y < 10; y++) for (let x = 0; x < 128; x++) bar.add(`${x},${y}`);
    for (const pixel of pixelsOf(emulator.texts()[0]!, 'title', 1, TITLE_BASELINE)) bar.delete(pixel);
    expect(rows(litPixels(), 0, 10)).toEqual(bar);
    expect(rows(litPixels(), 10, 59)).toEqual(rows(value, 10, 59));
    expect([...value].every(pixel => Number(pixel.split(',')[1]) < 60)).toBe(true);
  }

  /**
   * Compares every page of an item with its value, drawn from the font's own file; ends on the page after it.
   */
  function expectItem(title: string, value: string, isBinary: boolean): void {
    let rest = value;
    do {
      expect(emulator.texts()[0]!.startsWith(title)).toBe(true);
      const page = takeLines(rest);
      rest = page.rest;
      expectPixels(title === 'Escrow decision' ? largePixels(value) : valuePixels(page.lines, isBinary));
      press('right');
    } while (rest !== '');
  }

  test.each([
    ...transactions.cases.map(vector => [vector.name, vector, false] as const),
    ...detailsCases.map(vector => [`${vector.name}, with details shown`, vector, true] as const),
  ])('of every page show the text of its item: %s', async (_name, vector, isDetailed) => {
    if (isDetailed) showDetails();
    await readReview(signTransaction(vector), () => {
      for (const [title, value] of vector.expect.review)
        expectItem(title, value, /^\d+ bytes \(binary\) [0-9a-f]{8}$/.test(value));
      expect(emulator.texts()[1]).toBe('approve: press both');
    });
  });

  const FULL = 'a'.repeat(COLUMNS);
  test.each([
    ['a line feed at the end', 'abc\n'],
    ['empty lines', '\n\nabc\n\n\n\n\nd\n\n'],
    ['a line feed behind a full line', `${FULL}\n${FULL}\n\n${FULL}`],
    ['spaces at both ends', '  abc  \n  d \n '],
    ['a single space', ' '],
    ['lines of spaces', ' '.repeat(200)],
    ['text that looks like the binary form', '5 bytes (binary) 0123abcd'],
  ])('of a message show where lines end and where spaces are: %s', (_what, text) =>
    readReview(signMessage(0, Buffer.from(text)), () => {
      while (!emulator.texts()[0]!.startsWith('Message')) press('right');
      expectItem('Message', text, false);
    }),
  );

  test('of different messages of spaces, line feeds and letters always differ', async () => {
    const alphabet = ['a', ' ', '\n', 'a'.repeat(20), ' '.repeat(20), '_'];
    const words = alphabet.flatMap(a => alphabet.flatMap(b => ['', ...alphabet].map(c => a + b + c)));
    const messages = [...new Set(words)].filter(text => text.length !== 32);
    const seen = new Map<string, string>();
    for (const text of messages) {
      const frames = (await framesOf(signMessage(0, Buffer.from(text)))).join(' ');
      expect([text, seen.get(frames)]).toEqual([text, undefined]);
      seen.set(frames, text);
    }
    expect(seen.size).toBeGreaterThan(200);
  });

  test('of all printable characters differ from each other', () => {
    const drawn = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i)).map(character =>
      [...pixelsOf(character, 'value', 0, 9)].sort().join(' '),
    );
    expect(new Set(drawn).size).toBe(94);
  });

  test('of the longest title fit on the screen', async () => {
    await readReview(signMessage(0, Buffer.from('\n'.repeat(2048))), () => {
      press('right');
      expect(emulator.texts()[0]).toBe('Message (1/512)');
      expectPixels(valuePixels(Array(LINES).fill({ text: '', ended: true }), false));
    });
    const widest = Math.max(
      ...[...pixelsOf('Escrow instruction (512/512)', 'title', 1, 8)].map(p => Number(p.split(',')[0])),
    );
    expect(widest).toBeLessThan(128);
  });
});
