import { pbkdf2Sync } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../testkit/cli.js';
import { accounts } from '../../../testkit/vectors.js';

let directory: string;
const at = (name: string) => join(directory, name);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'image-'));
  await writeFile(at('mnemonic.txt'), `${accounts.mnemonic}\n`);
});
afterEach(() => rm(directory, { recursive: true }));

const provision = (...words: string[]) =>
  runCommand(['image', 'provision', '--board', 'pico', '--output', at('seed.uf2'), ...words]);

describe('image provision', () => {
  test('writes the seed alone as UF2, for its owner only', async () => {
    const { code, stdout, stderr } = await provision('--seed-file', at('mnemonic.txt'), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ file: at('seed.uf2'), board: 'pico', format: 'uf2', bytes: 512 });
    expect(stderr).toContain('WARNING');
    const file = await readFile(at('seed.uf2'));
    expect(file.readUInt32LE(12)).toBe(0x10200000 - 3 * 4096);
    const seed = pbkdf2Sync(accounts.mnemonic, 'mnemonic', 2048, 64, 'sha512');
    expect(file.subarray(32, 104)).toEqual(Buffer.concat([Buffer.from('ZBCS\0\0\0\0'), seed]));
    expect((await stat(at('seed.uf2'))).mode & 0o777).toBe(0o600);
    expect(`${stdout}${stderr}`).not.toContain(accounts.mnemonic.split(' ')[0]);
  });

  test('reads stdin, in hex too', async () => {
    const words = ['image', 'provision', '--seed-file', '-', '--board', 'pico', '-o', at('seed.uf2')];
    const seed = 'c4'.repeat(64);
    expect((await runCommand(words, { stdin: `hex:${seed}\n` })).code).toBe(0);
    expect((await readFile(at('seed.uf2'))).subarray(40, 104).toString('hex')).toBe(seed);
  });

  const provisionTo = (name: string, ...words: string[]) =>
    runCommand(
      ['image', 'provision', '--board', 'pico', '--seed-file', at('mnemonic.txt'), '-o', at(name)].concat(
        words,
      ),
    );
  const intoImage = (...words: string[]) => provisionTo('full.bin', '--image', at('image.bin'), ...words);

  test('writes what the name of the file says, or nothing', async () => {
    expect((await provisionTo('seed.hex')).code).toBe(0);
    expect(await readFile(at('seed.hex'), 'utf8')).toMatch(/^:02000004/);
    for (const ending of ['elf', 'bin']) {
      const { code, stderr } = await provisionTo(`seed.${ending}`);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`UF2, which does not end in .${ending}`)]);
      await expect(stat(at(`seed.${ending}`))).rejects.toThrow('ENOENT');
    }
  });

  test('writes the seed into an image, over a file only with --force', async () => {
    await writeFile(at('image.bin'), Buffer.alloc(300, 0x5a));
    await writeFile(at('full.bin'), 'mine');
    const { code, stderr } = await intoImage();
    expect([code, stderr]).toEqual([2, expect.stringContaining('already exists')]);
    expect(await readFile(at('full.bin'), 'utf8')).toBe('mine');
    expect((await intoImage('--force')).code).toBe(0);
    const file = await readFile(at('full.bin'));
    expect(file.length).toBe((2 << 20) - 3 * 4096 + 76);
    expect(file.subarray(0, 300)).toEqual(Buffer.alloc(300, 0x5a));
    expect((await stat(at('full.bin'))).mode & 0o777).toBe(0o600);
  });

  test('leaves the seed of an image alone', async () => {
    const image = Buffer.alloc((2 << 20) - 2 * 4096, 0xff);
    image.write('ZBCS', (2 << 20) - 3 * 4096);
    await writeFile(at('image.bin'), image);
    const { code, stderr } = await intoImage();
    expect([code, stderr]).toEqual([2, expect.stringContaining('has a seed already')]);
  });

  test.each([
    [['--seed-file', '/nonexistent'], 'cannot read /nonexistent: no such file'],
    [[], 'missing --seed-file'],
    [['--seed-file', 'README.md'], 'longer than 1024 bytes'],
    [['--seed-file', 'package.json', '--board', 'pico2'], '--board was given more than once'],
  ])('%j ends with code 2', async (words, message) => {
    const { code, stderr } = await provision(...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('knows its boards', async () => {
    const words = ['image', 'provision', '--board', 'pico2', '--seed-file', 'x', '-o', at('seed.uf2')];
    const { code, stderr } = await runCommand(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--board must be one of pico')]);
  });
});
