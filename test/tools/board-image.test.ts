import { bootCrc } from '../../testkit/boards/boot-rom.js';
import { withChecksum } from '../../tools/image/boot-stage.js';
import { CallGraph } from '../../tools/image/call-graph.js';
import { replaceOnce } from '../../tools/image/replace-once.js';
import { rewriteChecks } from '../../tools/image/rewrite-checks.js';

describe('the second stage of the boot ROM', () => {
  test('has the CRC-32/MPEG-2 of its first 252 bytes at its end', () => {
    expect(bootCrc(Buffer.from('123456789'))).toBe(0x0376e6e7);
    const stage = Buffer.from(withChecksum(Buffer.from('code')));
    expect(stage.length).toBe(256);
    expect(stage.readUInt32LE(252)).toBe(bootCrc(stage.subarray(0, 252)));
  });

  test('has at most 252 bytes', () => {
    expect(() => withChecksum(new Uint8Array(253))).toThrow('253 bytes');
  });
});

describe('rewriting the C code of wasm2c', () => {
  test.each([
    ['is missing', 'other text'],
    ['occurs twice', 'find find'],
  ])('fails when the code to be replaced %s', (_, source) => {
    expect(() => replaceOnce(source, 'find', 'replacement')).toThrow('expected once');
  });

  test('fails on the C code of another version', () => {
    expect(() => rewriteChecks('#define RANGE_CHECK(mem, offset, len)\n')).toThrow('expected once');
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

  test('follows calls by pointer to the functions that may be called', () => {
    expect(graph(node('jump', 8), node('leaf', 20), edge('jump', '__indirect_call')).depth('jump')).toBe(28);
  });

  test('uses a weak function, which has its file before its name, only if no other function has that name', () => {
    const program = [node('main', 8), edge('main', 'hook'), node('absent.c:hook', 4)];
    expect(graph(...program).depth('main')).toBe(12);
    expect(graph(...program, node('hook', 50)).depth('main')).toBe(58);
  });

  test.each([
    ['recursion', [node('main', 8), edge('main', 'main')], 'recursion: main > main'],
    ['an unknown function', [node('main', 8), edge('main', 'puts')], 'the stack usage of puts'],
    [
      'an unknown pointer',
      [node('main', 8), edge('main', '__indirect_call')],
      'main calls functions by pointer',
    ],
  ])('has no bound with %s', (_, lines, message) => {
    expect(() => graph(...lines).depth('main')).toThrow(message);
  });
});
