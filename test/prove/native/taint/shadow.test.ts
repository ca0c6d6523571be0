import { RP2040 } from 'rp2040js';
import { Shadow } from '../../../../prove/native/taint/shadow.js';
import { caseCount } from '../../../../testkit/repository/case-count.js';

const SRAM = 0x20000000;
const CODE = SRAM + 0x1000;
const DATA = SRAM + 0x8000;
const BYTES = 0x200;
const MIDDLE = DATA + BYTES / 2;
const [LOW, SP, PC] = [8, 13, 15];
const TRIALS = caseCount(40_000);

let state = 1;
/** A word of a generator with a fixed seed. */
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
}

const one = <T>(choices: readonly T[]): T => choices[random() % choices.length]!;
const randomMask = () => one([0, 0, 0, -1, 0xff, 0x80000000, random()]) | 0;
const randomValue = () => one([random() % 40, 0, 0xffffffff, random()]);
const several = (count: number, make: () => number) => Array.from({ length: count }, make);

/** Registers, flags and memory: their values, or a mask of their secret bits. */
interface State {
  registers: number[];
  flags: number;
  memory: number[];
}

/** Changes secret bits. */
const changed = (value: number, mask: number) => (value ^ (random() & mask)) >>> 0;

/** A core with its shadow, for single instructions. */
class Core {
  readonly #chip = new RP2040();
  readonly #shadow: Shadow;
  leaks: string[] = [];

  constructor() {
    const silent = () => undefined;
    this.#chip.logger = { debug: silent, info: silent, warn: silent, error: silent };
    const { core } = this.#chip;
    // Only the data is written.
    for (const write of ['writeUint32', 'writeUint16', 'writeUint8'] as const)
      core[write] = (at, value) => {
        if (at >= DATA && at < DATA + BYTES) this.#chip[write](at, value);
      };
    this.#shadow = new Shadow(this.#chip, 0, leak => this.leaks.push(leak));
  }

  execute(code: number, values: State, secrets: State): void {
    const { core, sram } = this.#chip;
    this.leaks = [];
    sram.set(values.memory, DATA - SRAM);
    sram.set([code & 0xff, code >> 8], CODE - SRAM);
    core.registers.fill(0).set(values.registers);
    [core.registers[SP], core.registers[PC]] = [MIDDLE, CODE];
    core.APSR = values.flags << 28;
    this.#shadow.registers.fill(0).set(secrets.registers);
    this.#shadow.flags = secrets.flags;
    this.#shadow.memory.set(secrets.memory, DATA - SRAM);
    core.executeInstruction();
  }

  get values(): State {
    const { core, sram } = this.#chip;
    const memory = [...sram.subarray(DATA - SRAM, DATA - SRAM + BYTES)];
    return { registers: [...core.registers], flags: core.APSR >>> 28, memory };
  }

  get secrets(): State {
    const { registers, flags, memory } = this.#shadow;
    return {
      registers: [...registers],
      flags,
      memory: [...memory.subarray(DATA - SRAM, DATA - SRAM + BYTES)],
    };
  }
}

/** All 16-bit instructions that compilers emit, except those that wait, trap or change the mode. */
function isTried(code: number): boolean {
  if (code >> 12 !== 11) return code < 0xde00;
  return [0, 2, 4, 5, 10, 12, 13].includes((code >> 8) & 15) && code >> 6 !== 0b1011101010;
}

/** These instructions get addresses in their registers, and small offsets. */
const accessesMemory = (code: number) => (code >= 0x5000 && code < 0xa000) || code >> 12 === 12;

/** The simulator's carry after a shift by more than 32 differs from the core's (ARMv6-M, A2.2.1). */
const shiftsByRegister = (code: number) => code >> 8 === 0x40 || code >> 6 === 0b0100000100;

function valuesFor(code: number): () => number {
  if (accessesMemory(code)) return () => one([MIDDLE + (random() % 16) * 4, random() % 40]);
  return shiftsByRegister(code) ? () => random() % 33 : randomValue;
}

const differ = (a: number, b: number, secret: number) => ((a ^ b) & ~secret) !== 0;

test('after each instruction, the bits that are not marked as secret do not depend on the secret', () => {
  const codes = Array.from({ length: 0x10000 }, (_, code) => code).filter(isTried);
  const [left, right] = [new Core(), new Core()];
  const wrong = new Set<string>();
  let judged = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const code = one(codes);
    const value = valuesFor(code);
    const secrets = {
      registers: several(LOW, randomMask),
      flags: one([0, 0, random() & 15]),
      memory: several(BYTES, () => randomMask() & 0xff),
    };
    const values = {
      registers: several(LOW, value),
      flags: random() & 15,
      memory: several(BYTES, () => random() & 0xff),
    };
    const others = {
      registers: values.registers.map((each, at) => changed(each, secrets.registers[at]!)),
      flags: changed(values.flags, secrets.flags),
      memory: values.memory.map((each, at) => changed(each, secrets.memory[at]!)),
    };
    left.execute(code, values, secrets);
    if (left.leaks.length > 0) continue;
    right.execute(code, others, secrets);
    judged++;
    const [a, b, after] = [left.values, right.values, left.secrets];
    if (
      right.leaks.length > 0 ||
      differ(a.flags, b.flags, after.flags) ||
      a.registers.some((each, at) => differ(each, b.registers[at]!, after.registers[at]!)) ||
      a.memory.some((each, at) => differ(each, b.memory[at]!, after.memory[at]!))
    )
      wrong.add(code.toString(16));
  }
  expect([...wrong]).toEqual([]);
  expect(judged).toBeGreaterThan(TRIALS / 2);
});
