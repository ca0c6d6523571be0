import { replaceOnce } from './replace-once.js';

// Each memory access of the module checks its bounds, both before and after this rewriting; only the cost
// changes. After it, the memory is one array whose address and size the compiler knows. An access compares
// only its variable address with the size, because the array is longer by the greatest constant that any
// access adds to an address. The stack pointer limits recursion.

const RANGE_CHECK = `#define RANGE_CHECK(mem, offset, len)               \\
  if (UNLIKELY(offset + (uint64_t)len > mem->size)) \\
    TRAP(OOB);
`;

const CONSTANT_RANGE_CHECK = `extern uint8_t module_memory[MODULE_MEMORY_BYTES + MODULE_REACH_BYTES];
#define RANGE_CHECK(mem, offset, len)                                       \\
  if (UNLIKELY((uint64_t)(len) > MODULE_MEMORY_BYTES ||                     \\
               (uint64_t)(offset) > MODULE_MEMORY_BYTES - (uint64_t)(len))) \\
    TRAP(OOB);
#define ACCESS_CHECK(base, offset, t)                                              \\
  if (UNLIKELY((offset) + sizeof(t) > MODULE_REACH_BYTES || (base) >= MODULE_MEMORY_BYTES)) \\
    TRAP(OOB);

// A core that faults on unaligned words accesses such words byte by byte; most addresses are aligned. On
// other cores, memcpy is used, because the compiler knows which of their instructions nevertheless fault.
#ifdef __ARM_FEATURE_UNALIGNED
#define IS_ALIGNED(at, t) 0
#define load_bytes(at, length) ({ u64 value = 0; __builtin_memcpy(&value, at, length); value; })
#define store_bytes(at, value, length) ({ const u64 bytes = value; __builtin_memcpy(at, &bytes, length); })
#else
#define IS_ALIGNED(at, t) LIKELY(((u32)(at) & (ALIGNMENT(t) - 1)) == 0)
#endif
#define ALIGNMENT(t) (sizeof(t) > 4 ? 4 : sizeof(t))
#define ALIGNED(t) __attribute__((may_alias, aligned(ALIGNMENT(t)))) t
#ifndef load_bytes
static __attribute__((noinline)) u64 load_bytes(const u8 *at, u32 length) {
  u64 value = 0;
  while (length-- > 0) value = value << 8 | at[length];
  return value;
}
static __attribute__((noinline)) void store_bytes(u8 *at, u64 value, u32 length) {
  for (u32 i = 0; i < length; i++, value >>= 8) at[i] = (u8)value;
}
#endif
`;

const LOAD = `#define DEFINE_LOAD(name, t1, t2, t3)                      \\
  static inline t3 name(wasm_rt_memory_t* mem, u64 addr) { \\
    MEMCHECK(mem, addr, t1);                               \\
    t1 result;                                             \\
    wasm_rt_memcpy(&result, &mem->data[addr], sizeof(t1)); \\
`;
const ALIGNED_LOAD = `#define DEFINE_LOAD(name, t1, t2, t3)               \\
  static inline __attribute__((always_inline)) t3 inlined_##name(u32 base, u32 offset); \\
  static inline t3 name(u32 base, u32 offset) { return inlined_##name(base, offset); } \\
  static inline t3 inlined_##name(u32 base, u32 offset) { \\
    ACCESS_CHECK(base, offset, t1);                 \\
    const u8* at = &module_memory[base];  \\
  __asm__("" : "+r"(at)); at += offset; \\
    t1 result = IS_ALIGNED(at, t1)                  \\
                    ? *(const ALIGNED(t1) *)at      \\
                    : (t1)load_bytes(at, sizeof(t1)); \\
`;

const STORE = `#define DEFINE_STORE(name, t1, t2)                                     \\
  static inline void name(wasm_rt_memory_t* mem, u64 addr, t2 value) { \\
    MEMCHECK(mem, addr, t1);                                           \\
    t1 wrapped = (t1)value;                                            \\
    wasm_rt_memcpy(&mem->data[addr], &wrapped, sizeof(t1));            \\
`;
const ALIGNED_STORE = `#define DEFINE_STORE(name, t1, t2)                        \\
  static inline __attribute__((always_inline)) void inlined_##name(u32 base, u32 offset, t2 value); \\
  static inline void name(u32 base, u32 offset, t2 value) { inlined_##name(base, offset, value); } \\
  static inline void inlined_##name(u32 base, u32 offset, t2 value) { \\
    ACCESS_CHECK(base, offset, t1);                       \\
    t1 wrapped = (t1)value;                               \\
    u8* at = &module_memory[base];  \\
  __asm__("" : "+r"(at)); at += offset; \\
    if (IS_ALIGNED(at, t1)) *(ALIGNED(t1) *)at = wrapped; \\
    else store_bytes(at, wrapped, sizeof(t1));            \\
`;

// The operands of most 64-bit products are extended from 32 bits, which the compiler recognizes here. In
// functions of the field's arithmetic, which have many products, products and accesses are inlined.
const PRODUCTS = `DEFINE_LOAD(i32_load, u32, u32, u32)
`;
const SHORT_PRODUCTS = `#include "product.h"
#define INLINED static inline __attribute__((always_inline))
#define IS_EXTENDED(x) (__builtin_constant_p((s64)(s32)(x) == (s64)(x)) && (s64)(s32)(x) == (s64)(x))
INLINED u64 multiply(u64 a, u64 b) {
  if (IS_EXTENDED(a) && IS_EXTENDED(b)) return (u64)multiply_signed_32((s32)a, (s32)b);
  return a * b;
}
INLINED u64 inlined_multiply(u64 a, u64 b) {
  if (IS_EXTENDED(a) && IS_EXTENDED(b)) return (u64)product((s32)a, (s32)b);
  return a * b;
}
// On a Cortex-M0+ board, the code is in RAM, so the size of the code matters.
#ifdef __ARM_ARCH_6M__
#define RARE __attribute__((optimize("Os")))
#else
#define RARE
#endif
${PRODUCTS}`;

const COUNTING_PROLOGUE = `#define FUNC_PROLOGUE                                            \\
  if (++wasm_rt_call_stack_depth > WASM_RT_MAX_CALL_STACK_DEPTH) \\
    TRAP(EXHAUSTION);

#define FUNC_EPILOGUE --wasm_rt_call_stack_depth
`;
const MEASURING_PROLOGUE = `extern char stack_guard[];
#ifdef __riscv
#define READ_STACK_POINTER "mv %0, sp"
#else
#define READ_STACK_POINTER "mov %0, sp"
#endif
#define FUNC_PROLOGUE                                     \\
  {                                                       \\
    char *stack_pointer;                                  \\
    __asm__ volatile(READ_STACK_POINTER : "=r"(stack_pointer)); \\
    if (UNLIKELY(stack_pointer < stack_guard))            \\
      TRAP(EXHAUSTION);                                   \\
  }

#define FUNC_EPILOGUE (void)0
`;

/** The firmware uses no floating point. A load or store of a floating-point number would not link. */
const FLOATS = ['LOAD(f32_load, f32, f32, f32)', 'LOAD(f64_load, f64, f64, f64)'];
const FLOAT_STORES = ['STORE(f32_store, f32, f32)', 'STORE(f64_store, f64, f64)'];

const REWRITES: readonly (readonly [find: string, replacement: string])[] = [
  [RANGE_CHECK, CONSTANT_RANGE_CHECK],
  ['    load_data(&(m.data[o]), i, s); \\\n', '    load_data(&module_memory[o], i, s); \\\n'],
  [LOAD, ALIGNED_LOAD],
  [STORE, ALIGNED_STORE],
  ...[...FLOATS, ...FLOAT_STORES].map(definition => [`DEFINE_${definition}\n`, ''] as const),
  ['  memset(mem->data + d, val, n);', '  memset(module_memory + d, val, n);'],
  [
    '  memmove(dest->data + dest_addr, src->data + src_addr, n);',
    '  memmove(module_memory + dest_addr, module_memory + src_addr, n);',
  ],
  [COUNTING_PROLOGUE, MEASURING_PROLOGUE],
  [PRODUCTS, SHORT_PRODUCTS],
];

/**
 * Matches a memory access: its operation, the variable with its address, and the constant added to the
 * address.
 */
const ACCESS =
  /\b(i(?:32|64)_(?:load|store)\w*)\(&instance->w2c_memory, \(u64\)\((\w+)\)(?: \+ (\d+)u?)?(?=[,)])/g;

const PRODUCT = /\b(w2c_j\d+) \*= (w2c_j\d+);/g;

/** Matches a function of the module with its body. */
const FUNCTION =
  /^static (?:void|u32|u64) (w2c_f\d+)\(Z_\w+_instance_t\* instance\b[^;]*?\{\n[\s\S]*?^\}\n/gm;
/** A function with at least this many products belongs to the field's arithmetic. */
const FIELD_PRODUCTS = 40;
/** A loop that selects an entry of a table reads this number of words. */
const TABLE_WORDS = 12;

/** Rewrites the C code of wasm2c 1.0.32 with constant bounds; throws if the code has an unexpected form. */
export function rewriteChecks(source: string): string {
  const rewritten = REWRITES.reduce(
    (text, [find, replacement]) => replaceOnce(text, find, replacement),
    source,
  );
  const accesses = rewritten.replace(
    ACCESS,
    (_, name: string, base: string, offset = '0') => `${name}(${base}, ${offset}u`,
  );
  const other = /\b\w+_(?:load|store)\w*\(&instance->.*/.exec(accesses);
  if (other) throw new Error(`the C code of wasm2c has changed: ${other[0]}`);
  const products = accesses.replace(PRODUCT, (_, a: string, b: string) => `${a} = multiply(${a}, ${b});`);
  const placed = products.replace(FUNCTION, (body, name: string) =>
    choosePace(body, products.split(`${name}(instance`).length - 1),
  );
  if (!placed.includes('RARE static'))
    throw new Error('the C code of wasm2c has changed: no function only calls other functions');
  return placed;
}

/**
 * Inlines all products and accesses in a function of the field's arithmetic that has several callers.
 * Optimizes a function that only calls other functions for size.
 */
function choosePace(body: string, callers: number): string {
  const count = (pattern: RegExp) => body.match(pattern)?.length ?? 0;
  if (count(/ multiply\(/g) >= FIELD_PRODUCTS && callers > 1)
    return body.replace(/\b(multiply|i(?:32|64)_(?:load|store)\w*)\(/g, 'inlined_$1(');
  const computes = count(/ multiply\(|ROTR\(/g) > 0 || count(/\bi64_load\(/g) >= TABLE_WORDS;
  return computes || count(/\bw2c_f\d+\(instance/g) === 0 ? body : `RARE ${body}`;
}
