import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../testkit/repository/repository.js';
import { type CompiledModule, compileAssembly, outputFile } from '../../tools/build/compile-assembly.js';

describe('compileAssembly', () => {
  let cryptography: CompiledModule;
  beforeAll(async () => {
    cryptography = await compileAssembly(root, 'crypto');
  });

  test('gives the same bytes as the build', async () => {
    const built = readFileSync(join(root, await outputFile('crypto')));
    expect(Buffer.compare(cryptography.wasm, built)).toBe(0);
    expect(built.length).toBeGreaterThan(10000);
  });

  test('finds the static memory and no allocator in the module of the cryptography', () => {
    const { allocatorFunctions, staticSize } = cryptography;
    expect(allocatorFunctions).toEqual([]);
    expect(staticSize).toBeGreaterThan(8192); // the test module's buffer
    expect(staticSize).toBeLessThan(65536);
  });

  test('finds an allocator in a module that creates an object', async () => {
    const { allocatorFunctions } = await compileAssembly(root, 'allocating');
    expect(allocatorFunctions.join()).toContain('~lib/rt/stub/__alloc');
  });

  test("throws the compiler's messages", async () => {
    const empty = mkdtempSync(join(tmpdir(), 'no-sources-'));
    await expect(compileAssembly(empty, 'release')).rejects.toThrow("firmware/assembly/index.ts' not found");
    rmSync(empty, { recursive: true });
  });

  test('refuses a target that asconfig.json does not have', async () => {
    await expect(compileAssembly(root, 'debug')).rejects.toThrow(RangeError);
    await expect(outputFile('allocating')).rejects.toThrow(RangeError);
  });
});

test('the compiler, called directly with asconfig.json, gives the same bytes as the build', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'asc-'));
  const output = join(directory, 'module.wasm');
  const asc = join(root, 'node_modules/assemblyscript/bin/asc.js');
  const release = ['--config', 'asconfig.json', '--target', 'release'];
  execFileSync(process.execPath, [asc, ...release, '--outFile', output], { cwd: root });
  const built = readFileSync(join(root, await outputFile('release')));
  expect(readFileSync(output).equals(built)).toBe(true);
  rmSync(directory, { recursive: true });
});
