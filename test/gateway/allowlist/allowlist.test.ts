import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Allowlist } from '#gateway/allowlist/allowlist.js';
import { replaceFile } from '#gateway/allowlist/replace-file.js';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'zbc-test.'));
  file = join(directory, 'allowlist.json');
});
afterEach(() => rmSync(directory, { recursive: true }));

const one = { ip: '192.0.2.1', port: 8884 };
const two = { ip: '192.0.2.2', port: 8885 };
const fail = (error: Error) => {
  throw error;
};
const open = (stateFile?: string, onError: (error: Error) => void = fail) =>
  Allowlist.open(stateFile, onError);

describe.each([
  ['memory', () => open()],
  ['a file', () => open(file)],
])('an allowlist in %s', (_name, openStore: () => Promise<Allowlist>) => {
  test('lists a node at most once', async () => {
    const store = await openStore();
    expect(await store.read()).toEqual({ added: [], removed: [] });
    await store.add({ ...one, role: 'full' });
    await store.remove(two);
    expect(await store.read()).toEqual({ added: [{ ...one, role: 'full' }], removed: [two] });
    await store.remove(one);
    await store.add({ ...two, role: 'archival' });
    expect(await store.read()).toEqual({ added: [{ ...two, role: 'archival' }], removed: [one] });
    await store.close();
  });

  test('reports every change after it is stored', async () => {
    const store = await openStore();
    let changes = 0;
    store.onChange = () => {
      changes += 1;
    };
    await Promise.all([store.add({ ...one, role: 'full' }), store.remove(two)]);
    // A watcher of the file may be notified of a change again.
    expect(changes).toBeGreaterThanOrEqual(2);
    expect(await store.read()).toEqual({ added: [{ ...one, role: 'full' }], removed: [two] });
  });
});

describe('the allowlist file of two gateways', () => {
  test('keeps the changes that both make at the same time', async () => {
    const [ours, theirs] = [await open(file), await open(file)];
    const nodes = Array.from({ length: 60 }, (_, at) => ({ ip: `192.0.2.${at}`, port: 8884 }));
    await Promise.all(nodes.map((node, at) => (at % 2 ? ours : theirs).add({ ...node, role: 'full' })));
    expect((await ours.read()).added.map(({ ip }) => ip).sort()).toEqual(nodes.map(({ ip }) => ip).sort());
    await Promise.all([ours.close(), theirs.close()]);
    expect(readdirSync(directory)).toEqual(['allowlist.json']);
  });

  test('reports the changes of one store to the other', async () => {
    const [ours, theirs] = [await open(file), await open(file)];
    const heard = new Promise<void>(resolve => {
      theirs.onChange = resolve;
    });
    await ours.add({ ...one, role: 'full' });
    await heard;
    expect((await theirs.read()).added).toEqual([{ ...one, role: 'full' }]);
    await Promise.all([ours.close(), theirs.close()]);
  });

  test('is restored completely by the first process that finds it missing', async () => {
    const said: string[] = [];
    const note = ({ message }: Error) => void said.push(message);
    const stores = [await open(file, note), await open(file, note)];
    await stores[0]!.remove(one);
    await stores[1]!.remove(two);
    const list = await stores[0]!.read();
    expect(list).toEqual({ added: [], removed: [one, two] });
    rmSync(file);
    expect(await Promise.all(stores.map(store => store.read()))).toEqual([list, list]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(list);
    expect(new Set(said)).toEqual(new Set([`state_file: ${file}: had disappeared and was restored`]));
    // A change of the allowlist also restores the file.
    rmSync(file);
    await stores[1]!.add({ ...two, role: 'full' });
    expect(await stores[0]!.read()).toEqual({ added: [{ ...two, role: 'full' }], removed: [one] });
    await Promise.all(stores.map(store => store.close()));
  });

  test('is kept in memory while it cannot be restored, and the failure is reported', async () => {
    const said: string[] = [];
    const below = join(directory, 'below');
    mkdirSync(below);
    const path = join(below, 'allowlist.json');
    const store = await open(path, ({ message }) => void said.push(message));
    await store.remove(one);
    rmSync(below, { recursive: true });
    for (let count = 0; count < 3; count += 1) expect((await store.read()).removed).toEqual([one]);
    const lost = `state_file: ${path}: has disappeared and was not restored: state_file: ${path}: cannot be written (ENOENT)`;
    expect(new Set(said)).toEqual(new Set([lost]));
    mkdirSync(below);
    expect((await store.read()).removed).toEqual([one]);
    expect(JSON.parse(readFileSync(path, 'utf8')).removed).toEqual([one]);
    await store.close();
  });

  test('can still be changed after a process died during a change', async () => {
    writeFileSync(`${file}.lock`, '');
    const store = await open(file);
    await store.add({ ...one, role: 'full' });
    expect((await store.read()).added).toHaveLength(1);
    await store.close();
  });
});

test('a process whose lock another one took while it was suspended changes nothing, and leaves the other lock', async () => {
  let resume!: () => void;
  const suspended = new Promise<void>(resolve => {
    resume = resolve;
  });
  const first = replaceFile(file, async () => {
    await suspended;
    return 'first';
  });
  const second = async () => {
    resume();
    await expect(first).rejects.toThrow('the lock was lost');
    return 'second';
  };
  await replaceFile(file, second, 5);
  expect(readFileSync(file, 'utf8')).toBe('second');
  expect(readdirSync(directory)).toEqual(['allowlist.json']);
});

test('a lock that is recreated counts as held by a living process, even if its file has the same inode number', async () => {
  const lock = `${file}.lock`;
  writeFileSync(lock, '');
  const { ino } = statSync(lock);
  let isChanged = false;
  const change = async () => {
    isChanged = true;
    return undefined;
  };
  const changed = replaceFile(file, change, 10);
  // This loop simulates a process that recreates the lock repeatedly. 10 polls take a tenth of a second.
  for (let second = 1; second < 400; second += 1) {
    utimesSync(lock, second, second);
    await pause(1);
  }
  expect([isChanged, statSync(lock).ino]).toEqual([false, ino]);
  rmSync(lock);
  await changed;
  expect(isChanged).toBe(true);
});

describe('the allowlist file', () => {
  test('survives the process, is readable only by its owner, and leaves no temporary file', async () => {
    const store = await open(file);
    await store.add({ ...one, role: 'archival' });
    await store.remove(two);
    await store.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['allowlist.json']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      added: [{ ...one, role: 'archival' }],
      removed: [two],
    });
    expect(await (await open(file)).read()).toEqual({
      added: [{ ...one, role: 'archival' }],
      removed: [two],
    });
  });

  test('is changed at the target of a link, and the link stays', async () => {
    const link = join(directory, 'link.json');
    writeFileSync(file, JSON.stringify({ added: [], removed: [] }));
    symlinkSync('allowlist.json', link);
    const store = await open(link);
    await store.remove(one);
    await store.close();
    expect(readlinkSync(link)).toBe('allowlist.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ added: [], removed: [one] });
    expect(readdirSync(directory).sort()).toEqual(['allowlist.json', 'link.json']);
  });

  test('is not created in place of a link whose target does not exist', async () => {
    symlinkSync('nowhere', file);
    const store = await open(file);
    await expect(store.remove(one)).rejects.toMatchObject({
      statusCode: 503,
      message: expect.stringContaining('is a link to a file that does not exist'),
    });
    expect(readlinkSync(file)).toBe('nowhere');
  });

  test.each([
    ['is cut short', '{"added": ['],
    ['is empty', ''],
    ['is a list', '[]'],
    ['lacks a list', '{"added": []}'],
    ['has an unknown field', '{"added": [], "removed": [], "admin_api_key": "x"}'],
    [
      'has a port above 65535',
      '{"added": [{"ip": "192.0.2.1", "port": 65536, "role": "full"}], "removed": []}',
    ],
    ['has an address with a leading zero', '{"added": [], "removed": [{"ip": "192.0.2.01", "port": 1}]}'],
    ['has a host name as an address', '{"added": [], "removed": [{"ip": "evil.example", "port": 1}]}'],
    ['has an unknown role', '{"added": [{"ip": "192.0.2.1", "port": 1, "role": "admin"}], "removed": []}'],
    ['is too large', ' '.repeat(1_048_577)],
  ])('is rejected if it %s', async (_name, text) => {
    writeFileSync(file, text);
    await expect(open(file)).rejects.toMatchObject({
      code: 'ALLOWLIST_UNUSABLE',
      message: expect.stringContaining(`state_file: ${file}`),
    });
  });

  test('is rejected if it is a directory', async () => {
    await expect(open(directory)).rejects.toMatchObject({ code: 'ALLOWLIST_UNUSABLE' });
  });

  test('rejects a change that cannot be stored, and can be changed again afterwards', async () => {
    const store = await open(file);
    await store.add({ ...one, role: 'full' });
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, 'invalid');
    await expect(store.remove(one)).rejects.toMatchObject({
      statusCode: 503,
      message: expect.stringContaining('is not JSON'),
    });
    writeFileSync(file, before);
    chmodSync(file, 0o600);
    await store.remove(one);
    expect(await store.read()).toEqual({ added: [], removed: [one] });
  });

  test('is not rewritten by a change that it already contains', async () => {
    const store = await open(file);
    await store.add({ ...one, role: 'full' });
    await store.remove(two);
    const { ino } = statSync(file, { bigint: true });
    await store.add({ ...one, role: 'full' });
    await store.remove(two);
    expect(statSync(file, { bigint: true }).ino).toBe(ino);
    await store.add({ ...one, role: 'archival' });
    expect(await store.read()).toEqual({
      added: [{ ...one, role: 'archival' }],
      removed: [two],
    });
    await store.close();
  });

  test('stores 4096 changes and rejects the next change', async () => {
    const nodes = Array.from({ length: 4096 }, (_, port) => ({ ip: '192.0.2.1', port: port + 1 }));
    writeFileSync(file, JSON.stringify({ added: [], removed: nodes }));
    const store = await open(file);
    await expect(store.add({ ...two, role: 'full' })).rejects.toMatchObject({ statusCode: 409 });
    await store.add({ ...nodes[0]!, role: 'full' });
    expect((await store.read()).removed).toHaveLength(4095);
  });
});
