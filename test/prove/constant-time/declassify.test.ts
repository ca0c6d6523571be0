import { declassify } from '../../../prove/constant-time/declassify.js';

const ENCODE = 'w2c_firmware_assembly_crypto_point_encodePoint';
const ADD = 'w2c_firmware_assembly_crypto_scalar_addScalar';

const translated = (name: string, lines: string[] = []) =>
  [
    `static void ${name}(Z_signer_instance_t* instance, u32 w2c_p0) {`,
    ...lines,
    '  FUNC_EPILOGUE;',
    '}',
    '',
  ].join('\n');

const MODULE = `#include "signer.h"\n${translated(ENCODE, ['  w2c_i0 = w2c_i2 ? w2c_i0 : w2c_i1;'])}${translated(ADD)}`;

it('marks public values for Memcheck when their functions return', () => {
  const lines = declassify(MODULE).split('\n');
  const at = lines.indexOf('  declassify_point(instance->w2c_memory.data + w2c_p0);');
  expect(lines[at + 1]).toBe('  FUNC_EPILOGUE;');
  expect(lines).toContain('  declassify_sum(instance->w2c_memory.data + w2c_p0);');
});

it('makes a select a branch', () => {
  expect(declassify(MODULE)).toContain('  w2c_i0 = branch_on(!!w2c_i2) ? w2c_i0 : w2c_i1;');
});

it('refuses a module without the function of a public value', () => {
  expect(() => declassify(MODULE.replaceAll(ADD, 'w2c_f7'))).toThrow(ADD);
});

it('refuses a function that no longer has its result where it was', () => {
  expect(() => declassify(MODULE.replace('  w2c_i0 = ', '  w2c_p0 = '))).toThrow(
    'changes its first argument',
  );
});
