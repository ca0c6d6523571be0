import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist } from '#gateway/allowlist/allowlist.js';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'zbc-test.'));
  file = join(directory, 'allowlist.json');
});
afterEach(() => rmSync(directory, { recursive: true }));

const one = { ip: '192.0.2.1', port: 8884 };
const two = { ip: '192.0.2.2', port: 8885 };
const open = (stateFile?: string) => Allowlist.open(stateFile);

describe.each([
  ['memory', () => open()],
  ['a file', () => open(file)],
])('an allowlist in %s', (_name, openStore: () => Promise<Allowlist>) => {
  test('lists a node at most once', async () => {
    const store = await openStore();
    expect(store.read()).toEqual({ added: [], removed: [] });
    await store.add({ ...one, role: 'full' });
    await store.remove(two);
    expect(store.read()).toEqual({ added: [{ ...one, role: 'full' }], removed: [two] });
    await store.remove(one);
    await store.add({ ...two, role: 'archival' });
    expect(store.read()).toEqual({ added: [{ ...two, role: 'archival' }], removed: [one] });
    await store.close();
  });
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
    expect((await open(file)).read()).toEqual({
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
      message: `state_file: ${file}: cannot be written (ENOENT)`,
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

  test('keeps all changes that are made at the same time', async () => {
    const store = await open(file);
    const nodes = Array.from({ length: 60 }, (_, at) => ({ ip: `192.0.2.${at}`, port: 8884 }));
    await Promise.all(nodes.map(node => store.add({ ...node, role: 'full' })));
    expect((await open(file)).read().added.map(({ ip }) => ip)).toEqual(nodes.map(({ ip }) => ip));
    expect(readdirSync(directory)).toEqual(['allowlist.json']);
  });

  test('rejects a change that cannot be stored, and can be changed again afterwards', async () => {
    const store = await open(file);
    await store.add({ ...one, role: 'full' });
    mkdirSync(`${file}.new`);
    await expect(store.remove(one)).rejects.toMatchObject({
      statusCode: 503,
      message: `state_file: ${file}: cannot be written (EISDIR)`,
    });
    expect(store.read()).toEqual({ added: [{ ...one, role: 'full' }], removed: [] });
    rmdirSync(`${file}.new`);
    await store.remove(one);
    expect(store.read()).toEqual({ added: [], removed: [one] });
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
    expect(store.read()).toEqual({
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
    expect(store.read().removed).toHaveLength(4095);
  });
});
