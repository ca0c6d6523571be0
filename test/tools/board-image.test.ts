import { crc32 } from 'node:zlib';
import { bootCrc, withChecksum } from '../../tools/image/boot-stage.js';
import { CallGraph } from '../../tools/image/call-graph.js';
import { replaceOnce } from '../../tools/image/replace-once.js';
import { rewriteChecks } from '../../tools/image/rewrite-checks.js';
import { picoSeedImage, seedRecord } from '../../tools/image/seed-record.js';
import { toUf2 } from '../../tools/image/uf2.js';

describe('toUf2', () => {
  test('writes a block of 512 bytes for each page, as the UF2 specification has it', () => {
    const file = Buffer.from(
      toUf2(
        Uint8Array.from({ length: 300 }, (_, index) => index & 0xff),
        0x1000,
      ),
    );
    const words = (at: number) => Array.from({ length: 8 }, (_, index) => file.readUInt32LE(at + 4 * index));
    expect(file.length).toBe(1024);
    expect(words(512)).toEqual([0x0a324655, 0x9e5d5157, 0x2000, 0x10001100, 256, 1, 2, 0xe48bff56]);
    expect(file.readUInt32LE(1020)).toBe(0x0ab16f30);
    expect(file.subarray(512 + 32, 512 + 32 + 44)).toEqual(
      Buffer.from(Array.from({ length: 44 }, (_, i) => i)),
    );
    expect(file[512 + 32 + 44]).toBe(0xff);
  });

  test('begins at a page', () => {
    expect(() => toUf2(new Uint8Array(1), 100)).toThrow(RangeError);
  });
});

describe('the second stage of the boot ROM', () => {
  test('has the CRC-32/MPEG-2 of its first 252 bytes at its end', () => {
    expect(bootCrc(Buffer.from('123456789'))).toBe(0x0376e6e7);
    const stage = Buffer.from(withChecksum(Buffer.from('code')));
    expect(stage.length).toBe(256);
    expect(stage.readUInt32LE(252)).toBe(bootCrc(stage.subarray(0, 252)));
  });

  test('has at most 252 bytes', () => {
    expect(() => withChecksum(new Uint8Array(253))).toThrow('253 bytes of 252');
  });
});

describe('a seed', () => {
  const seed = Uint8Array.from({ length: 64 }, (_, index) => index);

  test('is recorded with a mark and its CRC-32', () => {
    const record = Buffer.from(seedRecord(seed));
    expect(record.subarray(0, 8)).toEqual(Buffer.from('ZBCS\0\0\0\0', 'latin1'));
    expect(record.subarray(8, 72)).toEqual(Buffer.from(seed));
    expect(record.readUInt32LE(72)).toBe(crc32(record.subarray(0, 72)));
  });

  test('goes into the third sector from the end of flash, and nowhere else', () => {
    const file = Buffer.from(picoSeedImage(seed));
    expect(file.length).toBe(512);
    expect(file.readUInt32LE(12)).toBe(0x10200000 - 3 * 4096);
  });

  test('has 64 bytes', () => {
    expect(() => seedRecord(new Uint8Array(32))).toThrow(RangeError);
  });
});

describe('rewriting the C of wasm2c', () => {
  test.each([
    ['is not there', 'other text'],
    ['is there twice', 'find find'],
  ])('fails when what it replaces %s', (_, source) => {
    expect(() => replaceOnce(source, 'find', 'replacement')).toThrow('the C of wasm2c has changed');
  });

  test('fails on the C of another version', () => {
    expect(() => rewriteChecks('#define RANGE_CHECK(mem, offset, len)\n')).toThrow(
      'the C of wasm2c has changed',
    );
  });
});

describe('the call graph', () => {
  const node = (name: string, bytes: number) =>
    `node: { title: "${name}" label: "${name}\\nx.c:1:1\\n${bytes} bytes (static)" }`;
  const edge = (from: string, to: string) => `edge: { sourcename: "${from}" targetname: "${to}" }`;
  const graph = (...lines: string[]) => new CallGraph([lines.join('\n')], { memcpy: 32 }, { jump: ['leaf'] });

  test('bounds the stack by the deepest of all paths', () => {
    const program = [
      node('main', 16),
      node('shallow', 100),
      node('deep', 40),
      node('leaf', 90),
      edge('main', 'shallow'),
      edge('main', 'deep'),
      edge('deep', 'leaf'),
      edge('deep', 'memcpy'),
    ];
    expect(graph(...program).depth('main')).toBe(16 + 40 + 90);
  });

  test('follows calls by a pointer to what is known to be called', () => {
    expect(graph(node('jump', 8), node('leaf', 20), edge('jump', '__indirect_call')).depth('jump')).toBe(28);
  });

  test.each([
    ['recursion', [node('main', 8), edge('main', 'main')], 'recursion: main > main'],
    ['an unknown function', [node('main', 8), edge('main', 'puts')], 'no known stack of puts'],
    ['an unknown pointer', [node('main', 8), edge('main', '__indirect_call')], 'main calls by a pointer'],
  ])('has no bound with %s', (_, lines, message) => {
    expect(() => graph(...lines).depth('main')).toThrow(message);
  });
});
