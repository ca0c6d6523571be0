import { createHash } from 'node:crypto';
import { flashWith, symbol } from '../../../testkit/boards/image.js';
import { SimulatedPico } from '../../../testkit/boards/pico.js';

const PRODUCTS = 2000;

describe('multiplication', () => {
  const words = [0, 1, 2, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffff0001, 0xffffffff];
  let pico: SimulatedPico;
  /** The numbers of cycles that the calls of a test took. */
  const times = new Set<number>();

  beforeEach(() => times.clear());

  beforeAll(() => {
    pico = new SimulatedPico(flashWith()).boot();
  });

  /** The result of a call in r1:r0. */
  function call(name: string, ...values: number[]): bigint {
    const { core } = pico.chip;
    pico.jump(name, ...values);
    core.enabledInterrupts = 0;
    core.LR = symbol('board_sleep') | 1;
    const begun = core.cycles;
    while (core.PC !== symbol('board_sleep')) core.executeInstruction();
    times.add(core.cycles - begun);
    return (BigInt(core.registers[1]!) << 32n) | BigInt(core.registers[0]!);
  }

  const random = (index: number) => createHash('sha256').update(`${index}`).digest();

  test('of 64 bits is right for every product, and always takes the same time', () => {
    const cases = [
      ...words.flatMap(low => words.flatMap(high => words.map(other => [low, high, other, high] as const))),
      ...Array.from({ length: PRODUCTS }, (_, index) => {
        const bytes = random(index);
        return [0, 4, 8, 12].map(at => bytes.readUInt32LE(at)) as [number, number, number, number];
      }),
    ];
    for (const [a0, a1, b0, b1] of cases) {
      const called = call('__aeabi_lmul', a0, a1, b0, b1);
      const product = ((BigInt(a1) << 32n) | BigInt(a0)) * ((BigInt(b1) << 32n) | BigInt(b0));
      expect(called).toBe(BigInt.asUintN(64, product));
    }
    expect(times.size).toBe(1);
  });

  test('of signed 32 bits is right for every product, and always takes the same time', () => {
    const cases = [
      ...words.flatMap(a => words.map(b => [a | 0, b | 0] as const)),
      ...Array.from({ length: PRODUCTS }, (_, index) => {
        const bytes = random(index);
        return [bytes.readInt32LE(0), bytes.readInt32LE(4)] as const;
      }),
    ];
    for (const [a, b] of cases) {
      const called = call('multiply_signed_32', a, b);
      expect(BigInt.asIntN(64, called)).toBe(BigInt(a) * BigInt(b));
    }
    expect(times.size).toBe(1);
  });
});
