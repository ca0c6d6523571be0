import { pbkdf2Sync } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { slotProgram } from '../../../testkit/boards/slot-image.js';
import { runCommand } from '../../../testkit/process/cli.js';
import { accounts } from '../../../testkit/repository/vectors.js';

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
    await writeFile(at('image.bin'), Buffer.alloc(200, 0x5a));
    await writeFile(at('full.bin'), 'mine');
    const { code, stderr } = await intoImage();
    expect([code, stderr]).toEqual([2, expect.stringContaining('already exists')]);
    expect(await readFile(at('full.bin'), 'utf8')).toBe('mine');
    expect((await intoImage('--force')).code).toBe(0);
    const file = await readFile(at('full.bin'));
    expect(file.length).toBe((2 << 20) - 3 * 4096 + 76);
    expect(file.subarray(0, 200)).toEqual(Buffer.alloc(200, 0x5a));
    expect((await stat(at('full.bin'))).mode & 0o777).toBe(0o600);
  });

  test('leaves the seed of an image alone', async () => {
    const image = Buffer.alloc((2 << 20) - 2 * 4096, 0xff);
    image.write('ZBCS', (2 << 20) - 3 * 4096);
    await writeFile(at('image.bin'), image);
    const { code, stderr } = await intoImage();
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('has a seed already\nReplace it with --force.'),
    ]);
  });

  test('takes no program of another board, nor one that a loader starts', async () => {
    const program = (offset: number, reset: number) => {
      const bytes = Buffer.alloc(1000, 0x5a);
      bytes.writeUInt32LE(0x20001000, offset);
      bytes.writeUInt32LE(reset, offset + 4);
      return bytes;
    };
    const into = async (board: string, image: Buffer) => {
      await writeFile(at('image.bin'), image);
      const words = ['image', 'provision', '--board', board, '--seed-file', at('mnemonic.txt')];
      return runCommand([...words, '--image', at('image.bin'), '--force', '-o', at('full.bin')]);
    };
    const [pico, lm3s6965] = [program(256, 0x10000301), program(0, 0x101)];
    const slot = slotProgram({ counter: 1 });
    const codes = [];
    for (const [board, image] of [
      ['pico', pico],
      ['lm3s6965', lm3s6965],
      ['lm3s6965', pico],
      ['pico', lm3s6965],
      ['pico', slot],
    ] as const) {
      const { code, stderr } = await into(board, image);
      codes.push([code, stderr.includes(`no program of ${board}`)]);
    }
    expect(codes).toEqual([
      [0, false],
      [0, false],
      [2, true],
      [2, true],
      [2, true],
    ]);
  });

  test('warns of a seed that others may read, and says what is wrong with a mnemonic', async () => {
    const words = accounts.mnemonic.split(' ');
    const other = words[0] === 'zoo' ? 'zebra' : 'zoo';
    const fault = async (text: string) =>
      (
        await runCommand(
          ['image', 'provision', '--board', 'pico', '-o', at('seed.uf2'), '--force', '--seed-file', '-'],
          { stdin: text },
        )
      ).stderr;
    expect(await fault(words.slice(1).join(' '))).toMatch(/: it has \d+ words/);
    expect(await fault([...words.slice(0, -1), 'zbcs'].join(' '))).toContain(
      `: word ${words.length} is not of the English list`,
    );
    expect(await fault([other, ...words.slice(1)].join(' '))).toContain(': its checksum is wrong');
    await chmod(at('mnemonic.txt'), 0o644);
    expect((await provisionTo('open.uf2')).stderr).toContain('WARNING: others may read the seed in');
    await chmod(at('mnemonic.txt'), 0o600);
    expect((await provisionTo('own.uf2')).stderr).not.toContain('others may read the seed');
  });

  test('writes no file whose name is that of standard output', async () => {
    const { code, stderr } = await runCommand([
      'image',
      'provision',
      '--board',
      'pico',
      '--seed-file',
      at('mnemonic.txt'),
      '-o',
      '-',
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--output: - is no file')]);
  });

  test.each([
    [['--seed-file', '/nonexistent'], 'cannot read /nonexistent: no such file'],
    [[], 'Missing required argument: seed-file'],
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
