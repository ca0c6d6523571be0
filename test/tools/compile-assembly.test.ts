import { fileURLToPath } from 'node:url';
import { compileAssembly } from '../../tools/compile-assembly.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const ENTRY = 'firmware/test-modules/crypto.ts';

describe('compileAssembly', () => {
  test('gives the same bytes twice', async () => {
    const first = await compileAssembly(root, ENTRY);
    const second = await compileAssembly(root, ENTRY);
    expect(Buffer.compare(first.wasm, second.wasm)).toBe(0);
    expect(first.wasm.length).toBeGreaterThan(10000);
  });

  test('finds no allocator, and the static memory, of the cryptography', async () => {
    const { allocatorFunctions, staticSize } = await compileAssembly(root, ENTRY);
    expect(allocatorFunctions).toEqual([]);
    expect(staticSize).toBeGreaterThan(8192); // the test module's buffer
    expect(staticSize).toBeLessThan(65536);
  });

  test('finds an allocator in a module that makes an object', async () => {
    const { allocatorFunctions } = await compileAssembly(root, 'firmware/test-modules/allocating.ts');
    expect(allocatorFunctions.join()).toContain('~lib/rt/stub/__alloc');
  });

  test("throws the compiler's messages", async () => {
    await expect(compileAssembly(root, 'firmware/no-such-file.ts')).rejects.toThrow('does not compile');
  });
});
