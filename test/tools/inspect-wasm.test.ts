import { findFaults, inspectWasm } from '../../tools/build/inspect-wasm.js';

// Hand-written modules, each a few bytes of the binary format (WebAssembly core, §5).
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const name = (text: string) => [text.length, ...Buffer.from(text)];
const section = (id: number, ...content: number[]) => [id, content.length, ...content];
const wasm = (...sections: number[][]) => Uint8Array.from([...HEADER, ...sections.flat()]);

const TYPE = section(1, 1, 0x60, 0, 0);
const FUNCTION = section(3, 1, 0);
const ONE_PAGE = section(5, 1, 1, 1, 1);
const importOf = (module: string, field: string, ...kind: number[]) =>
  section(2, 1, ...name(module), ...name(field), ...kind);
const code = (...body: number[]) => section(10, 1, body.length + 2, 0, ...body, 0x0b);
const withCode = (...body: number[]) => wasm(TYPE, FUNCTION, ONE_PAGE, code(...body));
const faultsOf = (bytes: Uint8Array) => findFaults(inspectWasm(bytes));

describe('findFaults', () => {
  test('finds none in a module of one page that imports only from hal', () => {
    expect(faultsOf(wasm(TYPE, importOf('hal', 'seed', 0, 0), FUNCTION, ONE_PAGE, code(0x01)))).toEqual([]);
  });

  test('reads past every kind of immediate operand', () => {
    const body = [
      ...[0x02, 0x40, 0x03, 0x7f, 0x0c, 0x00, 0x0b, 0x0b], // block, loop, br, end, end
      ...[0x41, 0x00, 0x0e, 0x01, 0x00, 0x00], // i32.const 0, br_table
      ...[0x42, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x1a], // i64.const, drop
      ...[0x20, 0x40, 0x28, 0x02, 0x43, 0x1a], // local.get 64, i32.load offset=67, drop
      ...[0xfc, 0x0a, 0x00, 0x00, 0xfc, 0x0b, 0x00, 0x3f, 0x00], // memory.copy, memory.fill, memory.size
    ];
    expect(faultsOf(withCode(...body))).toEqual([]);
  });

  test.each([
    [
      'a function of another module',
      importOf('env', 'abort', 0, 0),
      'it imports env.abort: only functions of the module hal are allowed',
    ],
    [
      'a memory',
      importOf('hal', 'memory', 2, 1, 1, 1),
      'it imports hal.memory (memory): only functions of the module hal are allowed',
    ],
    [
      'a global',
      importOf('hal', 'g', 3, 0x7f, 0),
      'it imports hal.g (global): only functions of the module hal are allowed',
    ],
  ])('reports the import of %s', (_, imported, fault) => {
    expect(faultsOf(wasm(TYPE, imported, ONE_PAGE))).toContain(fault);
  });

  test.each([
    ['no memory', []],
    ['two pages', section(5, 1, 1, 2, 2)],
    ['no maximum', section(5, 1, 0, 1)],
    ['a larger maximum', section(5, 1, 1, 1, 2)],
    ['two memories', section(5, 2, 1, 1, 1, 1, 1, 1)],
  ])('reports a module with %s', (_, memory) => {
    expect(faultsOf(wasm(TYPE, memory))).toEqual([
      'its memory must have a minimum and a maximum of exactly one page',
    ]);
  });

  test.each([
    ['memory.grow', [0x41, 0x00, 0x40, 0x00, 0x1a]],
    ['memory.init', [0xfc, 0x08, 0x00, 0x00]],
    ['memory.init', [0xfc, 0x09, 0x00]], // data.drop
    ['call_indirect', [0x41, 0x00, 0x11, 0x00, 0x00]],
    ['floating-point', [0x43, 0x00, 0x00, 0x00, 0x00, 0x1a]], // f32.const
    ['floating-point', [0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0x1a]], // f64.const
    ['floating-point', [0x2a, 0x02, 0x00]], // f32.load
    ['floating-point', [0x39, 0x03, 0x00]], // f64.store
    ['floating-point', [0x63]], // f64.lt
    ['floating-point', [0x92]], // f32.add
    ['floating-point', [0xb8]], // f64.convert_i32_u
    ['floating-point', [0xfc, 0x02]], // i32.trunc_sat_f64_s
    ['unknown', [0xfd, 0x0c]], // a vector instruction
    ['unknown', [0x12, 0x00]], // a tail call
  ])('reports an instruction: %s %j', (kind, body) => {
    expect(faultsOf(withCode(...body))).toEqual([`it contains an instruction that is not allowed: ${kind}`]);
  });

  test('reports a floating-point parameter and a passive data segment', () => {
    expect(faultsOf(wasm(section(1, 1, 0x60, 1, 0x7c, 0), ONE_PAGE))).toEqual([
      'it contains an instruction that is not allowed: floating-point',
    ]);
    expect(faultsOf(wasm(ONE_PAGE, section(11, 1, 1, 1, 0xaa)))).toEqual([
      'it contains an instruction that is not allowed: memory.init',
    ]);
  });

  test('reports an exported allocator', () => {
    expect(faultsOf(wasm(TYPE, FUNCTION, ONE_PAGE, section(7, 1, ...name('__new'), 0, 0), code()))).toEqual([
      'it exports the allocator function __new',
    ]);
  });
});

describe('inspectWasm', () => {
  test('returns the address after the last byte of data', () => {
    const data = section(11, 2, 0, 0x41, 0xc0, 0x00, 0x0b, 3, 1, 2, 3, 0, 0x41, 0x08, 0x0b, 1, 9);
    expect(inspectWasm(wasm(ONE_PAGE, data)).dataEnd).toBe(67);
  });

  test('throws for bytes that are not a module, and for a truncated module', () => {
    expect(() => inspectWasm(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))).toThrow(TypeError);
    expect(() => inspectWasm(wasm(TYPE).subarray(0, 10))).toThrow(RangeError);
  });
});
