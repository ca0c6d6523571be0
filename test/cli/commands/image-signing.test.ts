import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { developmentKey, findBoard, readImageFile, writeImageFile } from '@zbc-signer/image';
import { slotProgram } from '../../../testkit/boards/slot-image.js';
import { runCommand } from '../../../testkit/process/cli.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const directory = openTestDirectory();
const at = (name: string) => join(directory, name);

beforeAll(async () => {
  const raw = Buffer.from((publicKey.export({ format: 'jwk' }) as { x: string }).x, 'base64url');
  await Promise.all([
    writeFile(at('app.bin'), slotProgram({ counter: 1, bytes: 5000 })),
    writeFile(at('key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 }),
    writeFile(at('open.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o644 }),
    writeFile(at('dev.pem'), developmentKey().export({ type: 'pkcs8', format: 'pem' })),
    writeFile(at('key.hex'), raw.toString('hex')),
  ]);
  const { code, stdout } = await sign(['--key', at('key.pem'), '--json'], 'signed.bin');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ bytes: 256 + 5000 + 12 + 144, version: '1.2.3', counter: 5 });
});

const sign = (words: string[], output: string) =>
  runCommand([
    'image',
    'sign',
    at('app.bin'),
    '--image-version',
    '1.2.3',
    '--counter',
    '5',
    '-o',
    at(output),
    ...words,
  ]);
const verify = (file: string, ...words: string[]) => runCommand(['image', 'verify', at(file), ...words]);

test('image verify accepts an image that image sign signed, and reports its content', async () => {
  const { code, stdout } = await verify('signed.bin', '--public-key', at('key.hex'), '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    verified: true,
    version: '1.2.3',
    counter: 5,
    header_bytes: 256,
    payload_bytes: 5000,
    tag_bytes: 156,
    padding_bytes: 0,
  });
});

test('an older counter, a changed byte, another key and a missing signature end with code 11', async () => {
  const changed = await readFile(at('signed.bin'));
  changed[300]! ^= 1;
  const signed = await readFile(at('signed.bin'));
  await Promise.all([
    writeFile(at('changed.bin'), changed),
    writeFile(at('longer.bin'), Buffer.concat([signed, Buffer.of(0)])),
    writeFile(at('shorter.bin'), signed.subarray(0, -1)),
  ]);
  const key = ['--public-key', at('key.hex')];
  const results = await Promise.all([
    verify('signed.bin', ...key, '--minimum-counter', '6'),
    verify('changed.bin', ...key),
    verify('signed.bin', '--development'),
    verify('app.bin', ...key),
    verify('longer.bin', ...key),
    verify('shorter.bin', ...key),
  ]);
  expect(results.map(({ code, stderr }) => [code, stderr.replace(/^error: /, '').trim()])).toEqual([
    [11, 'the counter of the image is 5, but the counter of the board is 6'],
    [11, 'the digest of the image differs from the one in its signature block'],
    [11, 'the key that signed the image is not the expected one'],
    [11, 'the image is not signed: it does not start with the header of a signed image'],
    [11, 'the image has bytes other than FF after its signature'],
    [11, 'the image has tags that are cut off'],
  ]);
});

test('the development key is used only if --development is given, and with a warning', async () => {
  const [named, file] = await Promise.all([
    sign(['--development'], 'd.bin'),
    sign(['--key', at('dev.pem')], 'e.bin'),
  ]);
  expect([named.code, named.stderr]).toEqual([0, expect.stringContaining('WARNING: anyone can sign')]);
  expect([file.code, file.stderr]).toEqual([2, expect.stringContaining('which everyone knows')]);
  expect((await verify('d.bin', '--development')).code).toBe(0);
});

test('a key that other users can read is used with a warning', async () => {
  const { code, stderr } = await sign(['--key', at('open.pem')], 'open.bin');
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining(`WARNING: other users may be able to read the key in`),
  ]);
});

test('a release needs a key other than the development key, and a counter', async () => {
  const [fine, named, file, none] = await Promise.all([
    sign(['--release', '--key', at('key.pem')], 'release.bin'),
    sign(['--release', '--development'], 'r1.bin'),
    sign(['--release', '--key', at('dev.pem')], 'r2.bin'),
    sign(['--release', '--key', at('key.pem'), '--counter', '0'], 'r3.bin'),
  ]);
  expect([fine.code, fine.stderr]).toEqual([0, '']);
  expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('cannot sign a release')]);
  expect([file.code, file.stderr]).toEqual([2, expect.stringContaining('This key cannot sign a release')]);
  expect(none.code).toBe(2);
  for (const name of ['r1.bin', 'r2.bin', 'r3.bin'])
    await expect(readFile(at(name))).rejects.toThrow('ENOENT');
});

describe('an image that no loader would start is not signed', () => {
  const program = slotProgram({ counter: 1, bytes: 5000 });
  const changed = (at: number, value: number) => {
    const bytes = Buffer.from(program);
    bytes.writeUInt32LE(value, at);
    return bytes;
  };
  const release = ['--release', '--key'];

  const signFile = async (bytes: Uint8Array, ...words: string[]) => {
    await writeFile(at('given.bin'), bytes);
    const output = ['--image-version', '1.2.3', '--counter', '5', '--force', '-o', at('given.signed')];
    return runCommand(['image', 'sign', at('given.bin'), ...output, ...words]);
  };

  test.each<[string, Uint8Array, string]>([
    ['7 bytes', Buffer.alloc(7, 0x42), "not linked for the loader's slot"],
    ['a stack outside SRAM', changed(0, 0x20042004), "not linked for the loader's slot"],
    ['a start before the slot', changed(4, 0x10000101), "not linked for the loader's slot"],
    ['a start after the image', changed(4, 0x10010101 + 5000), "not linked for the loader's slot"],
    ['a start that is not Thumb code', changed(4, 0x10010200), "not linked for the loader's slot"],
    ['half a word at its end', program.subarray(0, -2), "not linked for the loader's slot"],
    ['more than a slot', Buffer.concat([program, Buffer.alloc(256 << 10)]), 'a slot of pico holds 261732'],
  ])('%s', async (_, bytes, message) => {
    for (const words of [release.concat(at('key.pem')), ['--development', '--board', 'pico']]) {
      const { code, stderr } = await signFile(bytes, ...words);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });

  test('if it is already signed, or would have the highest counter', async () => {
    expect((await signFile(program, ...release, at('key.pem'))).code).toBe(0);
    const results = await Promise.all([
      sign(['--release', '--key', at('key.pem'), '--counter', '4294967295'], 'highest.bin'),
      signFile(await readFile(at('signed.bin')), '--development'),
    ]);
    expect(results.map(({ code, stderr }) => [code, stderr.split('\n')[0]])).toEqual([
      [2, expect.stringContaining('--counter')],
      [2, expect.stringContaining('is a signed image, not a binary image')],
    ]);
  });
});

test('for a board with a loader, image sign writes an update for the second slot', async () => {
  const pico = findBoard('pico')!;
  const { code } = await sign(['--key', at('key.pem'), '--board', 'pico'], 'update.uf2');
  const { segments } = readImageFile(await readFile(at('update.uf2')), pico);
  const signed = await readFile(at('signed.bin'));
  expect([code, segments.length, segments[0]!.address]).toEqual([0, 1, 0x10050000]);
  expect(Buffer.compare(segments[0]!.bytes.subarray(0, signed.length), signed)).toBe(0);
  const other = await sign(['--key', at('key.pem'), '--board', 'riscv'], 'riscv.uf2');
  const key = ['--public-key', at('key.hex'), '--json'];
  const [verified, plain] = await Promise.all([verify('update.uf2', ...key), verify('signed.bin', ...key)]);
  const { padding_bytes, ...rest } = JSON.parse(verified.stdout);
  expect({ code: verified.code, ...rest }).toEqual({
    code: 0,
    ...JSON.parse(plain.stdout),
    padding_bytes: undefined,
  });
  const more = { address: pico.flashStart, bytes: new Uint8Array(4096) };
  const whole = writeImageFile({ format: 'uf2', segments: [more, ...segments], start: [] }, pico);
  await writeFile(at('whole.uf2'), whole);
  const refused = await verify('whole.uf2', ...key);
  expect([refused.code, refused.stdout]).toEqual([11, expect.stringContaining('firmware verify')]);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('riscv has no loader')]);
});

test('an existing file is replaced only with --force', async () => {
  await writeFile(at('mine.bin'), 'mine');
  const { code, stderr } = await sign(['--development'], 'mine.bin');
  expect([code, stderr]).toEqual([2, expect.stringContaining('already exists')]);
  expect(await readFile(at('mine.bin'), 'utf8')).toBe('mine');
  expect((await sign(['--development', '--force'], 'mine.bin')).code).toBe(0);
  expect((await verify('mine.bin', '--development')).code).toBe(0);
});

test('- is not accepted as the name of a file', async () => {
  const words = ['--development', '--image-version', '1.2.3', '--counter', '5', '-o', '-'];
  const { code, stderr } = await runCommand(['image', 'sign', at('app.bin'), ...words]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--output: - is not a file name')]);
});

test.each([
  [[], '--key is missing'],
  [['--development', '--board', 'pico2'], '--board must be one of pico, lm3s6965, riscv, mps2-an505'],
  [['--key', 'LICENSE', '--force'], 'the key is not a private Ed25519 key'],
  [['--development', '--key', 'x'], '--development conflicts with --key'],
])('image sign %j ends with code 2', async (words, message) => {
  const { code, stderr } = await sign(words, 'none.bin');
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('versions and counters that are out of range end with code 2', async () => {
  const words = ['image', 'sign', at('app.bin'), '--development', '-o', at('n.bin')];
  const [version, counter] = await Promise.all([
    runCommand([...words, '--image-version', '1.256.0', '--counter', '1']),
    runCommand([...words, '--image-version', '1.0.0', '--counter', '4294967296']),
  ]);
  expect([version.code, version.stderr]).toEqual([2, expect.stringContaining('--image-version must be')]);
  expect([counter.code, counter.stderr]).toEqual([2, expect.stringContaining('--counter must be')]);
});

test.each([
  ['UF2', 'UF2\nWQ]'],
  ['ELF', '\x7FELF\x01\x01'],
  ['Intel HEX', ':020000041000EA\r\n'],
])('a file that is %s is not signed as a binary image', async (format, start) => {
  const words = ['--development', '--image-version', '1.2.3', '--counter', '5', '-o', at('no.bin')];
  await writeFile(at('container'), Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(100)]));
  const { code, stderr } = await runCommand(['image', 'sign', at('container'), ...words]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(`container is ${format}, not a binary image\nSign the .bin file instead`),
  });
  await expect(readFile(at('no.bin'))).rejects.toMatchObject({ code: 'ENOENT' });
});
