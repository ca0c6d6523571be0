import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, verify } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lutimesSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { developmentKey, findBoard, publicKeyHex, readImageFile, verifySignedImage } from '@zbc-signer/image';
import { runCli } from '../../testkit/process/cli.js';
import { root } from '../../testkit/repository/repository.js';
import { copySources, outputDirectories } from '../../testkit/repository/source-copy.js';

const NOBODY = 65534;
const LONG_AGO = 981_173_106;
const directories: string[] = [];
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const next = generateKeyPairSync('ed25519');

function copyWithKey(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), name));
  copySources(directory);
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const file = join(directory, path);
    if (!file.includes('/node_modules/') && statSync(file).isFile()) lutimesSync(file, LONG_AGO, LONG_AGO);
  }
  directories.push(directory);
  writeFileSync(join(directory, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(join(directory, 'key.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(join(directory, 'next.pub'), next.publicKey.export({ type: 'spki', format: 'pem' }));
  return directory;
}

interface Circumstances {
  env: Record<string, string>;
  umask: string;
  user?: number;
}

/** The files of a release made in a directory. */
function release(directory: string, { env, umask, user }: Circumstances): Map<string, string> {
  const script = `umask ${umask} && make --silent release KEY=key.pem KEYS="key.pub next.pub" OUT=out`;
  const { status, stderr, stdout } = spawnSync('sh', ['-c', script], {
    cwd: directory,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: directory, ...env },
    ...(user !== undefined && { uid: user, gid: user }),
  });
  if (status !== 0) throw new Error(stdout + stderr);
  const out = join(directory, 'out');
  return new Map(readdirSync(out).map(name => [name, readFileSync(join(out, name)).toString('base64')]));
}

let first: string;
let made: Map<string, string>;

beforeAll(() => {
  first = copyWithKey('release-');
  // The first directory begins with files built from the same sources, and a loader with the development key.
  spawnSync('cp', ['-a', '--parents', ...outputDirectories, first], { cwd: root });
  made = release(first, { env: { TZ: 'UTC', LANG: 'C', USER: 'one' }, umask: '022' });
});
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

test('a release has the same bytes with another path, time, user, umask, time zone and language', () => {
  const second = copyWithKey('a-longer-path-to-the-same-release-');
  const isRoot = process.getuid?.() === 0;
  chmodSync(second, 0o755);
  if (isRoot) spawnSync('chown', ['-R', '-h', `${NOBODY}:${NOBODY}`, second]);
  const env = {
    TZ: 'Asia/Kathmandu',
    LANG: 'tr_TR.UTF-8',
    LC_ALL: 'de_DE.UTF-8',
    USER: 'two',
    LOGNAME: 'two',
  };
  const again = release(second, { env, umask: '077', ...(isRoot && { user: NOBODY }) });
  expect([...again.keys()].sort()).toEqual([...made.keys()].sort());
  for (const [name, bytes] of made) expect([name, again.get(name) === bytes]).toEqual([name, true]);
});

test('a release has both modules, every board, checksums, an SBOM, the toolchain and a signed manifest', () => {
  const names = [...made.keys()];
  expect(names).toEqual(
    expect.arrayContaining([
      'zbc-signer.wasm',
      'zbc-keystore.wasm',
      'zbc-signer-pico.uf2',
      'zbc-signer-pico.hex',
      'zbc-signer-pico.bin',
      'zbc-signer-pico-loader.uf2',
      'zbc-signer-pico-update.uf2',
      'zbc-signer-pico-slot.bin',
    ]),
  );
  const isBoard = (name: string) =>
    name !== 'template' && existsSync(join(root, 'firmware/boards', name, 'memory.ld'));
  const boards = readdirSync(join(root, 'firmware/boards')).filter(isBoard);
  for (const board of boards) expect(names).toContain(`zbc-signer-${board}.hex`);
  const out = join(first, 'out');
  expect(spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: out, encoding: 'utf8' }).status).toBe(0);
  const bytes = readFileSync(join(out, 'manifest.json'));
  expect(verify(null, bytes, publicKey, readFileSync(join(out, 'manifest.json.sig')))).toBe(true);
  const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n');
  expect(sums.map(line => line.slice(66)).sort()).toEqual(
    names.filter(name => !/^(?:manifest|SHA256)/.test(name)).sort(),
  );
  const sbom = JSON.parse(readFileSync(join(out, 'sbom.cdx.json'), 'utf8'));
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
  const refs = sbom.components.map((component: { 'bom-ref': string }) => component['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  for (const ref of sbom.dependencies[0].dependsOn) expect(refs).toContain(ref);
});

describe('firmware verify', () => {
  const verifyFile = (file: string) =>
    runCli([
      'firmware',
      'verify',
      file,
      '--manifest',
      join(first, 'out/manifest.json'),
      '--public-key',
      join(first, 'key.pub'),
      '--json',
    ]);

  test('names the release, and the sources from which the file was built', async () => {
    const { code, stdout } = await verifyFile(join(first, 'out/zbc-signer-pico.uf2'));
    const { sources_sha256, name } = JSON.parse(stdout);
    expect([code, name]).toEqual([0, 'zbc-signer-pico.uf2']);
    const { sources } = JSON.parse(readFileSync(join(first, 'out/manifest.json'), 'utf8'));
    for (const module of ['assembly', 'keystore', 'loader'])
      expect(Object.keys(sources.files)).toContainEqual(expect.stringContaining(`firmware/${module}/`));
    expect(sources_sha256).toBe(sources.sha256);
    const text = Object.entries(sources.files).map(([path, digest]) => `${digest}  ${path}\n`);
    const check = spawnSync('sha256sum', ['-c', '--quiet', '-'], { cwd: first, input: text.join('') });
    expect(check.status).toBe(0);
  });

  test('ends with code 11 for a changed bit, bytes after the payload, and another key', async () => {
    const bin = readFileSync(join(first, 'out/zbc-signer-pico.bin'));
    const changed = join(first, 'changed.bin');
    for (const bytes of [
      bin.with(5000, bin[5000]! ^ 1),
      Buffer.concat([bin, Buffer.of(0)]),
      bin.subarray(0, -1),
    ]) {
      writeFileSync(changed, bytes);
      expect((await verifyFile(changed)).code).toBe(11);
    }
    const words = ['firmware', 'verify', join(first, 'out/zbc-signer.wasm'), '--development'];
    expect((await runCli(words)).code).toBe(11);
  });
});

test('the loader contains the keys of the release, but not the development key', () => {
  const loader = readFileSync(join(first, 'out/zbc-signer-pico-loader.uf2'));
  const pico = findBoard('pico')!;
  const { segments } = readImageFile(loader, pico);
  const own = Buffer.from(publicKeyHex(publicKey), 'hex');
  const [program, signed] = segments.map(({ bytes }) => Buffer.from(bytes));
  expect(program!.includes(own)).toBe(true);
  expect(program!.includes(Buffer.from(publicKeyHex(next.publicKey), 'hex'))).toBe(true);
  expect(program!.includes(Buffer.from(publicKeyHex(developmentKey()), 'hex'))).toBe(false);
  expect(() => verifySignedImage(signed!, publicKey)).not.toThrow();
});

test('a loader that is rebuilt with another key contains that key instead of the old key', () => {
  const { publicKey: other, privateKey: pem } = generateKeyPairSync('ed25519');
  writeFileSync(join(first, 'other.pem'), pem.export({ type: 'pkcs8', format: 'pem' }));
  const words = ['--silent', '-f', 'firmware/boards/loader.mk', 'BOARD=pico', 'KEY=other.pem'];
  expect(spawnSync('make', words, { cwd: first, encoding: 'utf8' })).toMatchObject({ status: 0 });
  const { segments } = readImageFile(
    readFileSync(join(first, 'dist/boards/pico/zbc-signer-loader.uf2')),
    findBoard('pico')!,
  );
  const program = Buffer.from(segments[0]!.bytes);
  expect(program.includes(Buffer.from(publicKeyHex(other), 'hex'))).toBe(true);
  expect(program.includes(Buffer.from(publicKeyHex(publicKey), 'hex'))).toBe(false);
});

test('make release refuses the development key before it builds anything', () => {
  writeFileSync(join(first, 'dev.pem'), developmentKey().export({ type: 'pkcs8', format: 'pem' }));
  const words = ['--silent', 'release', 'KEY=dev.pem', 'OUT=refused'];
  const { status, stderr } = spawnSync('make', words, { cwd: first, encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringContaining('cannot sign a release')]);
  expect(existsSync(join(first, 'refused'))).toBe(false);
});

test('the release tool refuses the development key', () => {
  writeFileSync(join(first, 'dev.pem'), developmentKey().export({ type: 'pkcs8', format: 'pem' }));
  for (const keys of [
    ['dev.pem', ''],
    ['', 'dev.pem'],
  ]) {
    const words = ['dist/tools/release/main.js', ...keys, 'other', 'pico'];
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: first, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('cannot sign a release')]);
  }
});
