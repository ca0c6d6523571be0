import {
  explainFile,
  findBoard,
  type ImageError,
  type ReleasedFile,
  type ReleaseManifest,
  readPayload,
  type Segment,
  sha256Hex,
  writeImageFile,
} from '@zbc-signer/image';
import { imageOf } from '../../testkit/boards/slot-image.js';

const pico = findBoard('pico')!;
const FLASH = 0x10000000;
const STAGED = FLASH + 0x50000;
const INSTALLED = FLASH + 0x10000;
const ENTRY = ':040000051000010BDB';
const code = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 7 + 1) & 0xff);
const uf2 = (...segments: Segment[]) => writeImageFile({ format: 'uf2', segments, start: [] }, pico);

const signed = imageOf({ counter: 3, bytes: 4400 });
const program = { address: FLASH, bytes: code(1000) };
/** A data record of Intel HEX. */
const row = (at: number, bytes: Uint8Array) => {
  const body = Buffer.from([bytes.length, at >> 8, at & 0xff, 0, ...bytes]);
  const check = -body.reduce((sum, byte) => sum + byte, 0) & 0xff;
  return `:${Buffer.from([...body, check])
    .toString('hex')
    .toUpperCase()}`;
};
const own = writeImageFile({ format: 'hex', segments: [program], start: [ENTRY] }, pico);
const [extended, , ...rest] = Buffer.from(own).toString().split('\r\n');
// GNU objcopy writes these records for two sections, the first of which ends within a row.
const rows = [row(0, program.bytes.subarray(0, 8)), row(8, program.bytes.subarray(8, 16))];
const built: Record<string, Uint8Array> = {
  'pico.uf2': uf2(program),
  'pico.hex': Buffer.from([extended, ...rows, ...rest].join('\r\n')),
  'pico-update.uf2': uf2({ address: STAGED, bytes: signed }),
  'pico-loader.uf2': uf2(program, { address: INSTALLED, bytes: signed }),
};
const slotBin = signed.subarray(256, 256 + 4400);
const files: ReleasedFile[] = [
  ...Object.entries(built).map(([name, bytes]) => ({
    name,
    board: 'pico',
    bytes: bytes.length,
    sha256: sha256Hex(bytes),
    payload: readPayload(bytes, pico),
  })),
  { name: 'pico-slot.bin', bytes: slotBin.length, sha256: sha256Hex(slotBin) },
];
const manifest: ReleaseManifest = {
  format: 'zbc-signer-release-1',
  version: '1.0.0',
  commit: null,
  sources: { sha256: '', files: {} },
  toolchain: [],
  files,
};
const oldSeed = Buffer.concat([
  Buffer.from('ZBCS\0\0\0\0'),
  new Uint8Array(64).fill(3),
  Buffer.from('bd989dfd', 'hex'),
]);
const partsOf = (file: Uint8Array) => explainFile(file, manifest).parts;
const codeOf = (file: Uint8Array): string => {
  try {
    return explainFile(file, manifest).released.name;
  } catch (error) {
    return (error as ImageError).code ?? String(error);
  }
};
const changed = (name: string, change: (bytes: Buffer) => void) => {
  const bytes = Buffer.from(built[name]!);
  change(bytes);
  return bytes;
};
const hexLines = (change: (lines: string[]) => string[]) =>
  Buffer.from(change(Buffer.from(built['pico.hex']!).toString().split('\r\n')).join('\r\n'));

test('every file of a release is explained to its last byte', () => {
  for (const [name, bytes] of Object.entries(built)) {
    expect(codeOf(bytes)).toBe(name);
    expect(partsOf(bytes).reduce((sum, part) => sum + part.bytes, 0)).toBe(bytes.length);
  }
});

test('a file with the released entry point or without one, followed by erased flash, is explained too', () => {
  const erased = { address: FLASH + 0x1fd000, bytes: new Uint8Array(76).fill(0xff) };
  for (const start of [[ENTRY], []]) {
    const file = writeImageFile({ format: 'hex', segments: [program, erased], start }, pico);
    expect(partsOf(file)).toContainEqual(expect.objectContaining({ name: 'padding', bytes: 76 }));
  }
});

test('a signed image in a UF2 file is explained part by part, and so is the loader before it', () => {
  const parts = (name: string) => partsOf(built[name]!).map(part => [part.name, part.bytes]);
  const image = [
    ['header', 256],
    ['payload', 4400],
    ['signature', 12 + 144],
  ];
  // 19 pages contain 4,812 bytes.
  const rest = (blocks: number, padding: number) => [
    ['padding', padding],
    ['container', blocks * 256],
  ];
  expect(parts('pico-update.uf2')).toEqual([...image, ...rest(19, 52)]);
  expect(parts('pico-loader.uf2')).toEqual([['payload', 1000], ...image, ...rest(35, 52 + 24 + 12 * 256)]);
  expect(partsOf(built['pico-update.uf2']!)[1]).toMatchObject({
    detail: '0x10050100 to 0x1005122f, pico-slot.bin',
    sha256: sha256Hex(slotBin),
  });
});

describe('a file that a release does not explain is refused:', () => {
  test.each<[string, Uint8Array]>([
    ['a byte in the unused part of a UF2 block', changed('pico.uf2', bytes => void bytes.writeUInt8(1, 300))],
    [
      'the last unused byte of the last block',
      changed('pico.uf2', bytes => void bytes.writeUInt8(1, bytes.length - 5)),
    ],
    [
      'another entry point in HEX',
      hexLines(lines => lines.map(line => (line === ENTRY ? ':04000005DEADBEEFBF' : line))),
    ],
    [
      'one more entry point in HEX',
      hexLines(lines => [...lines.slice(0, -2), ':04000005DEADBEEFBF', ...lines.slice(-2)]),
    ],
    ['an empty record of HEX', hexLines(lines => [lines[0]!, ':00000000' + '00', ...lines.slice(1)])],
    ['digits of HEX in lower case', hexLines(lines => lines.map(line => line.toLowerCase()))],
    ['a seed where older firmware had one', uf2(program, { address: FLASH + 0x1fd000, bytes: oldSeed })],
    ['a byte after the payload', uf2(program, { address: FLASH + 0x2000, bytes: Uint8Array.of(1) })],
  ])('%s', (_, file) => {
    expect(codeOf(file)).toBe('NOT_RELEASED');
  });

  test('a change in a part of a signed image other than its payload', () => {
    expect(codeOf(signed)).toBe('pico-slot.bin');
    expect(codeOf(Buffer.concat([signed, Buffer.alloc(8, 0xff)]))).toBe('pico-slot.bin');
    expect(codeOf(signed.with(100, 0))).toBe('NOT_RELEASED');
    expect(codeOf(signed.with(256 + 4400 + 8, 9))).toBe('NOT_RELEASED');
    const longer = Buffer.concat([signed, Buffer.from('99000200abcd', 'hex')]);
    longer.writeUInt16LE(144 + 6, 256 + 4400 + 12 + 2);
    expect(codeOf(longer)).toBe('NOT_RELEASED');
  });
});
