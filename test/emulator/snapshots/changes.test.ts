import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approveSnapshots, findSnapshotChanges, type SnapshotChange } from '@zbc-signer/emulator/snapshots';
import { PNG } from 'pngjs';
import { CHANGED, screenPng, writeFiles } from '../../../testkit/screen/changed-snapshots.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'changes-'));
  writeFiles(directory, CHANGED);
});
afterEach(() => rmSync(directory, { recursive: true }));

const path = (name: string) => join(directory, name);
const find = () => findSnapshotChanges(directory);

async function findOne(name: string): Promise<SnapshotChange> {
  const found = (await find()).changes.find(change => change.path === path(name));
  if (!found) throw new Error(`${name} is not among the changes`);
  return found;
}

/** The colours of a file, decoded independently of the package. */
const pixelsOf = (name: string) => PNG.sync.read(readFileSync(path(name))).data;

test('finds the pictures that the harness left, and the pictures of Zemu that differ', async () => {
  const { changes, leftOut } = await find();
  expect(leftOut).toBe(0);
  expect(changes.map(({ path: at, kind, texts }) => [at, kind, texts])).toEqual([
    [path('shots/send/00001.png'), 'changed', 'Amount / 2 ZBC'],
    [path('shots/send/00002.png'), 'added', ''],
    [path('shots/send/00003.png'), 'removed', ''],
    [path('zemu/snapshots/nanosp/token/00001.png'), 'changed', ''],
  ]);
  expect(changes[0]).toMatchObject({ test: 'send.test.js: pays', trace: '/tmp/a.trace' });
  const lit = (picture: Uint32Array | undefined) =>
    [...picture!.entries()].filter(([, colour]) => colour !== 0);
  expect(lit(changes[0]!.before)).toEqual([[129, 0xdddddd]]);
  expect(lit(changes[0]!.after)).toEqual([
    [129, 0xdddddd],
    [2 * 128 + 2, 0xdddddd],
  ]);
});

test('a flat search does not enter subdirectories', async () => {
  expect((await findSnapshotChanges(directory, { flat: true })).changes).toEqual([]);
  expect((await findSnapshotChanges(path('shots'), { flat: true })).changes).toHaveLength(3);
});

test('an already accepted picture is not a change', async () => {
  writeFiles(directory, { 'shots/send/00001.png': CHANGED['shots/send-failed/00001.png']! });
  const { changes } = await find();
  expect(changes.map(({ path: at }) => at)).not.toContain(path('shots/send/00001.png'));
});

describe('approving', () => {
  test('one snapshot writes only that snapshot', async () => {
    const before = pixelsOf('shots/send/00000.png');
    await approveSnapshots([await findOne('shots/send/00001.png')]);
    expect(pixelsOf('shots/send/00001.png')).toEqual(PNG.sync.read(screenPng([1, 1], [2, 2])).data);
    expect(pixelsOf('shots/send/00000.png')).toEqual(before);
    expect(readdirSync(path('shots/send-failed')).sort()).toEqual(['00002.png', 'failure.json']);
    expect((await find()).changes).toHaveLength(3);
  });

  test('all snapshots leaves no file of the failure', async () => {
    await approveSnapshots((await find()).changes);
    expect(readdirSync(path('shots'))).toEqual(['send']);
    expect(readdirSync(path('shots/send')).sort()).toEqual(['00000.png', '00001.png', '00002.png']);
    expect(pixelsOf('zemu/snapshots/nanosp/token/00001.png')).toEqual(PNG.sync.read(screenPng([9, 9])).data);
    expect(await find()).toEqual({ changes: [], leftOut: 0 });
  });

  test('the removal of one page leaves the other page to be approved', async () => {
    const failure = JSON.stringify({ removed: ['00000.png', '00003.png'] });
    rmSync(path('shots/send-failed'), { recursive: true });
    writeFiles(directory, { 'shots/send-failed/failure.json': failure });
    await approveSnapshots([await findOne('shots/send/00003.png')]);
    expect((await find()).changes[0]).toMatchObject({ path: path('shots/send/00000.png'), kind: 'removed' });
    await approveSnapshots([await findOne('shots/send/00000.png')]);
    expect(readdirSync(path('shots'))).toEqual(['send']);
  });

  describe('a set with an inserted page and a removed page', () => {
    const [a, b, c, d, x] = [0, 1, 2, 3, 9].map(at => screenPng([at, at]));

    beforeEach(() => {
      writeFiles(directory, {
        'moved/set/00000.png': a!,
        'moved/set/00001.png': b!,
        'moved/set/00002.png': c!,
        'moved/set/00003.png': d!,
        'moved/set-failed/00000.png': x!,
        'moved/set-failed/failure.json': JSON.stringify({
          removed: ['00002.png'],
          moved: { '00001.png': '00000.png', '00002.png': '00001.png' },
        }),
      });
    });
    const moved = async () => (await findSnapshotChanges(path('moved'))).changes;

    test('has two changes, which are approved together or not at all', async () => {
      const changes = await moved();
      expect(changes.map(({ path: at, kind }) => [at, kind])).toEqual([
        [path('moved/set/00000.png'), 'added'],
        [path('moved/set/00002.png'), 'removed'],
      ]);
      for (const change of changes) {
        await expect(approveSnapshots([change])).rejects.toMatchObject({ code: 'SNAPSHOT_UNWRITABLE' });
      }
      expect(readFileSync(path('moved/set/00000.png'))).toEqual(a);
      await approveSnapshots(changes);
      expect(readdirSync(path('moved'))).toEqual(['set']);
      const left = readdirSync(path('moved/set')).sort();
      expect(left.map(name => readFileSync(path(`moved/set/${name}`)))).toEqual([expect.anything(), a, b, d]);
      expect(pixelsOf('moved/set/00000.png')).toEqual(PNG.sync.read(x!).data);
      expect(await moved()).toEqual([]);
    });

    test('is not written when a snapshot that would move is a link', async () => {
      writeFiles(directory, { precious: 'text' });
      rmSync(path('moved/set/00001.png'));
      symlinkSync(path('precious'), path('moved/set/00001.png'));
      await expect(approveSnapshots(await moved())).rejects.toMatchObject({ code: 'SNAPSHOT_UNWRITABLE' });
      expect(readFileSync(path('moved/set/00000.png'))).toEqual(a);
    });
  });

  test('does not follow a link out of the directory', async () => {
    mkdirSync(path('elsewhere'));
    rmSync(path('shots/send'), { recursive: true });
    symlinkSync(path('elsewhere'), path('shots/send'));
    const change = await findOne('shots/send/00001.png');
    await expect(approveSnapshots([change])).rejects.toMatchObject({ code: 'SNAPSHOT_UNWRITABLE' });
    expect(readdirSync(path('elsewhere'))).toEqual([]);
  });

  test('replaces a link at the path of a snapshot, not the target of the link', async () => {
    writeFiles(directory, { precious: 'text' });
    rmSync(path('shots/send/00001.png'));
    symlinkSync(path('precious'), path('shots/send/00001.png'));
    await approveSnapshots([await findOne('shots/send/00001.png')]);
    expect(readFileSync(path('precious'), 'utf8')).toBe('text');
    expect(pixelsOf('shots/send/00001.png')).toEqual(PNG.sync.read(screenPng([1, 1], [2, 2])).data);
  });
});

describe('hostile files', () => {
  const huge = PNG.sync.write(new PNG({ width: 128, height: 65 }));

  test.each<[string, Uint8Array | string]>([
    ['of another size', huge],
    ['that is not a PNG', 'x'.repeat(200)],
    ['that ends early', screenPng([1, 1]).subarray(0, 60)],
    ['that is too long', Buffer.concat([screenPng(), Buffer.alloc(200_000)])],
  ])('a picture %s is left out', async (_, content) => {
    writeFiles(directory, { 'shots/send-failed/00001.png': content });
    const { changes, leftOut } = await find();
    expect([changes.length, leftOut]).toEqual([3, 1]);
  });

  test('a name with unprintable characters is left out', async () => {
    writeFiles(directory, {
      'a\nrm b-failed/00000.png': screenPng(),
      'a\u202eb-failed/00000.png': screenPng(),
      'a b-failed/00000.png': screenPng(),
    });
    const { changes, leftOut } = await find();
    expect([changes.length, leftOut]).toEqual([5, 2]);
  });

  test('links and pipes are not read', async () => {
    rmSync(path('shots/send-failed/00001.png'));
    symlinkSync(path('shots/send-failed/00002.png'), path('shots/send-failed/00001.png'));
    rmSync(path('shots/send-failed/00002.png'));
    execFileSync('mkfifo', [path('shots/send-failed/00002.png'), path('shots/send/00004.png')]);
    symlinkSync('/', path('root'));
    const { changes } = await find();
    expect(changes.map(({ kind }) => kind)).toEqual(['removed', 'changed']);
  });

  test.each([
    '{',
    '[]',
    'null',
    '{"removed":["../../secret.png","/etc/passwd",7],"texts":{"00001.png":7,"__proto__":"x"},"test":[]}',
  ])('an invalid failure.json is ignored: %p', async text => {
    writeFiles(directory, { 'shots/send-failed/failure.json': text, 'secret.png': screenPng() });
    const { changes } = await find();
    expect(changes.map(({ kind }) => kind)).toEqual(['changed', 'added', 'changed']);
    expect(changes[0]).toMatchObject({ texts: '', test: undefined });
    expect(existsSync(path('secret.png'))).toBe(true);
  });

  test('node_modules is not searched', async () => {
    writeFiles(directory, { 'node_modules/x-failed/00000.png': screenPng() });
    expect((await find()).changes).toHaveLength(4);
  });
});
