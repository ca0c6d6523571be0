import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emulator, SnapshotMismatchError, type SnapshotOptions } from '@zbc-signer/emulator';
import { type PackerOptions, PNG } from 'pngjs';
import { type Reply, send, signMessage } from '../../../testkit/device/apdu.js';
import { messages } from '../../../testkit/repository/vectors.js';

const MENU = ['ZBC Signer', 'is ready'];
const { message, expect: expected } = messages.cases[0]!;
/** Account and message take one page each, followed by the approve page. */
const PAGES = ['00000.png', '00001.png', '00002.png'];

let directory: string;
let emulator: Emulator;

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'snapshots-')), 'message');
  emulator = await Emulator.start();
});

afterEach(async () => {
  emulator.stop();
  await rm(join(directory, '..'), { recursive: true });
});

function startReview(): Promise<Reply> {
  return send(apdu => emulator.exchange(apdu), signMessage(0, Buffer.from(message, 'hex')));
}

async function photograph(options: SnapshotOptions = {}): Promise<void> {
  const reply = startReview();
  const done = emulator.expectSnapshots(directory, { ci: false, ...options });
  await done.finally(() => emulator.reviewing && emulator.reject());
  await reply;
}

async function faultsOf(options?: SnapshotOptions): Promise<readonly string[]> {
  const error: unknown = await photograph(options).catch((thrown: unknown) => thrown);
  if (!(error instanceof SnapshotMismatchError)) throw error ?? new Error('the snapshots matched');
  return error.faults;
}

async function flipPixel(name: string, x: number, y: number): Promise<void> {
  const png = PNG.sync.read(await readFile(join(directory, name)));
  const at = 4 * (y * png.width + x);
  for (let i = at; i < at + 3; i++) png.data[i] = png.data[i] === 0 ? 0xdd : 0;
  await writeFile(join(directory, name), PNG.sync.write(png));
}

test('a directory that cannot be written, even by root, is named', async () => {
  await symlink('/proc/nowhere/set', directory);
  await expect(photograph()).rejects.toMatchObject({
    code: 'SNAPSHOT_UNWRITABLE',
    message: expect.stringContaining(directory),
  });
});

test('expectSnapshots writes the first set, and accepts it afterwards', async () => {
  await photograph();
  expect(await readdir(directory)).toEqual(PAGES);
  await photograph({ ci: true });
  expect(await readdir(join(directory, '..'))).toEqual(['message']);
});

test('expectSnapshots captures every page from the first to the approve page', async () => {
  const shown: Buffer[] = [];
  const reply = startReview();
  await emulator.waitForReview();
  shown.push(Buffer.from(emulator.png()));
  for (const _ of [1, 2]) {
    emulator.press('right');
    shown.push(Buffer.from(emulator.png()));
  }
  await emulator.expectSnapshots(directory, { ci: false });
  expect(emulator.texts()).toEqual(['Sign message', 'approve: press both']);
  const written = await Promise.all(PAGES.map(name => readFile(join(directory, name))));
  expect(written).toEqual(shown);
  await emulator.reject();
  await reply;
});

test('expectSnapshots fails in CI when there is no set, and writes nothing', async () => {
  expect(await faultsOf({ ci: true })).toEqual([
    expect.stringMatching(/^00000\.png \(Account .+\): no such snapshot$/),
    expect.stringMatching(/^00001\.png/),
    expect.stringMatching(/^00002\.png \(Sign message \/ approve: press both\): no such snapshot$/),
  ]);
  await expect(readdir(directory)).rejects.toThrow('ENOENT');
});

test('expectSnapshots names the page and the number of pixels that differ, and writes nothing', async () => {
  await photograph();
  await flipPixel('00001.png', 100, 50);
  expect(await faultsOf()).toEqual([
    expect.stringMatching(/^00001\.png \(Message .+\): 1 of 8192 pixels differ$/),
  ]);
  expect(await readdir(directory)).toEqual(PAGES);
  expect(await readdir(join(directory, '..'))).toEqual(['message']);
});

test('expectSnapshots names missing pages and extra pages, also outside CI', async () => {
  await photograph();
  await writeFile(join(directory, '00003.png'), await readFile(join(directory, '00000.png')));
  await rm(join(directory, '00002.png'));
  expect(await faultsOf()).toEqual([
    '00002.png (Sign message / approve: press both): no such snapshot',
    '00003.png: the review no longer has this page',
  ]);
});

test('an inserted or removed page is reported as one difference', async () => {
  await photograph({ decide: 'reject' });
  const pages = await Promise.all([0, 1, 2, 3, 4].map(page => readFile(join(directory, `0000${page}.png`))));
  const faultsAfter = async (set: readonly (Uint8Array | undefined)[]) => {
    await rm(directory, { recursive: true });
    await mkdir(directory);
    for (const [page, png] of set.entries()) await writeFile(join(directory, `0000${page}.png`), png!);
    const faults = await faultsOf({ decide: 'reject' });
    await photograph({ decide: 'reject', update: true });
    await photograph({ decide: 'reject', ci: true });
    return faults;
  };
  expect(await faultsAfter([pages[0], ...pages.slice(2)])).toEqual([
    expect.stringMatching(/^00001\.png .*inserted/),
  ]);
  const other = PNG.sync.write(new PNG({ width: 128, height: 64, colorType: 2 }), { colorType: 2 });
  expect(await faultsAfter([pages[0], other, ...pages.slice(1)])).toEqual([
    '00001.png: the review no longer has this page',
  ]);
});

test('expectSnapshots reports a snapshot that is not a picture of the screen', async () => {
  await photograph();
  await writeFile(join(directory, '00000.png'), 'not a picture, but long enough for a header');
  await writeFile(join(directory, '00001.png'), PNG.sync.write(new PNG({ width: 128, height: 65 })));
  const whole = await readFile(join(directory, '00002.png'));
  await writeFile(join(directory, '00002.png'), whole.subarray(0, 60));
  const faults = await faultsOf();
  expect(faults).toHaveLength(3);
  for (const fault of faults) expect(fault).toContain('the snapshot is not an opaque PNG of 128 × 64 pixels');
});

describe('a snapshot that another program has written', () => {
  interface Rewriting {
    change?(png: PNG): void;
    options: PackerOptions;
  }

  const rewrite = async (name: string, { change, options }: Rewriting): Promise<void> => {
    const png = PNG.sync.read(await readFile(join(directory, name)));
    change?.(png);
    await writeFile(join(directory, name), PNG.sync.write(png, options));
  };

  test.each<[string, Rewriting]>([
    ['in grey', { options: { colorType: 0 } }],
    ['with an opaque alpha channel', { options: { colorType: 6 } }],
  ])('is accepted %s', async (_, rewriting) => {
    await photograph();
    await rewrite('00001.png', rewriting);
    await photograph({ ci: true });
  });

  const clearOnePixel = (png: PNG): void => {
    png.data[4 * 5000 + 3] = 0xfe;
  };
  /** Doubles each byte, so that reading it as 8 bits loses nothing. */
  const deepen = (png: PNG): void => {
    png.data = Buffer.from(Uint16Array.from(png.data, value => 0x101 * value).buffer);
  };

  test.each<[string, Rewriting]>([
    ['not opaque in one pixel', { change: clearOnePixel, options: { colorType: 6 } }],
    ['of 16 bits per colour', { change: deepen, options: { colorType: 6, bitDepth: 16 } }],
  ])('is rejected if it is %s, whatever its colours are', async (_, rewriting) => {
    await photograph();
    await rewrite('00001.png', rewriting);
    expect(await faultsOf()).toEqual([
      expect.stringMatching(
        /^00001\.png \(Message .+\): the snapshot is not an opaque PNG of 128 × 64 pixels/,
      ),
    ]);
  });
});

describe('an update', () => {
  test('writes changed files, removes superfluous ones, and does not touch other files', async () => {
    await photograph();
    const [first, second] = await Promise.all(PAGES.map(name => readFile(join(directory, name))));
    await flipPixel('00000.png', 3, 3);
    const same = PNG.sync.write(PNG.sync.read(second!), { deflateLevel: 1 });
    expect(same).not.toEqual(second);
    await writeFile(join(directory, '00001.png'), same);
    await writeFile(join(directory, '00003.png'), first!);
    await photograph({ update: true });
    expect(await readdir(directory)).toEqual(PAGES);
    expect(await readFile(join(directory, '00000.png'))).toEqual(first);
    expect(await readFile(join(directory, '00001.png'))).toEqual(same);
  });

  test('can be requested by an environment variable', async () => {
    await photograph();
    await flipPixel('00000.png', 3, 3);
    process.env.ZBC_SIGNER_UPDATE_SNAPSHOTS = '1';
    try {
      await photograph();
    } finally {
      delete process.env.ZBC_SIGNER_UPDATE_SNAPSHOTS;
    }
    await photograph({ ci: true });
  });
});

describe('expectSnapshots with a decision', () => {
  test('approves, and captures the screen after the decision as the last picture', async () => {
    const reply = startReview();
    await emulator.expectSnapshots(directory, { ci: false, decide: 'approve' });
    expect((await reply).data.toString('hex')).toBe('signature' in expected && expected.signature);
    expect(emulator.texts()).toEqual(MENU);
    expect(await readFile(join(directory, '00003.png'))).toEqual(Buffer.from(emulator.png()));
  });

  test('rejects after the approve page, and captures both the approve page and the reject page', async () => {
    const reply = startReview();
    await emulator.expectSnapshots(directory, { ci: false, decide: 'reject' });
    expect((await reply).status).toBe('6985');
    expect(await readdir(directory)).toHaveLength(5);
  });
});
