import { WireWriter } from '@zbc-signer/chain';

const write = () => new WireWriter();

describe('a byte writer', () => {
  test('writes little-endian integers, and writes the length before counted bytes', () => {
    const bytes = write().u8(255).u32(1).u64(2n).i64(-2n).counted(Uint8Array.of(7, 8)).finish();
    const parts = ['ff', '01000000', '0200000000000000', 'feffffffffffffff', '02000000', '0708'];
    expect(Buffer.from(bytes).toString('hex')).toBe(parts.join(''));
  });

  test.each<[string, () => void]>([
    ['256 in 8 bits', () => write().u8(256)],
    ['-1 in 8 bits', () => write().u8(-1)],
    ['0.5 in 8 bits', () => write().u8(0.5)],
    ['2^32 in 32 bits', () => write().u32(2 ** 32)],
    ['2^64 in 64 bits', () => write().u64(2n ** 64n)],
    ['2^63 in 64 signed bits', () => write().i64(2n ** 63n)],
  ])('throws INVALID_INPUT for %s', (_what, attempt) => {
    expect(attempt).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });
});
