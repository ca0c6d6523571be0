import { createHash } from 'node:crypto';
import { findBoard, seedSegment } from '@zbc-signer/image';
import { getPublicKey, signMessage, splitReply } from '../../testkit/apdu.js';
import { Board, hex } from '../../testkit/boards/board.js';
import { provisionedFlash, SEED_SECTOR, symbol } from '../../testkit/boards/image.js';
import { SimulatedPico } from '../../testkit/boards/pico.js';
import { Reference } from '../../testkit/boards/reference.js';

/** Public keys take a fifth of the time of signatures. */
const KEYS = Number(process.env.SEEDS ?? 100);
const SIGNATURES = Number(process.env.SEEDS ?? 6);
const MAX_PUBLIC_KEY = 4.5e6;
const MAX_APPROVAL = 24e6;
const PRODUCTS = 2000;
const MODULE_MEMORY_BYTES = 24576;

const seedOf = (index: number) => Uint8Array.from(createHash('sha512').update(`seed ${index}`).digest());

interface Measured {
  cycles: number;
  /** Digits in the address, which is public: to write one takes another time than to write a letter. */
  digits: number;
}

function measurePublicKey(board: Board): Measured {
  let reply: Uint8Array = new Uint8Array();
  const cycles = board.pico.cyclesOf('Z_signerZ_report', () => {
    reply = board.exchange(getPublicKey(0));
  });
  return { cycles: Math.max(...cycles), digits: digitsOf(reply) };
}

function digitsOf(reply: Uint8Array): number {
  const address = splitReply(reply).data.subarray(32).toString();
  return address.slice(4).replace(/[^2-7]/g, '').length;
}

const MESSAGE = Buffer.from('one message');

/** Opens a review and goes to the page where both keys approve. */
function awaitApproval(board: Board): number {
  const channel = board.sendAll(signMessage(0, MESSAGE))!;
  while (board.reference.texts[1] !== 'approve: press both') board.press('right');
  return channel;
}

/**
 * Where the signature is first written in the memory of the module, found by a search while it is computed.
 */
function findSignature(): number {
  const board = Board.start();
  awaitApproval(board);
  const signature = Buffer.from(board.reference.press('both')!.subarray(0, 64));
  const search = () =>
    Buffer.from(board.pico.memory(symbol('module_memory'), MODULE_MEMORY_BYTES)).indexOf(signature);
  board.pico.hold('both', true);
  board.pico.run(14);
  board.pico.hold('both', false);
  for (let turn = 0; search() < 0; turn++) {
    expect(turn).toBeLessThan(300);
    board.pico.run(1);
  }
  return symbol('module_memory') + search();
}

/**
 * `cycles` are those until the signature is complete; its verification follows, whose time depends on what is
 * public.
 */
interface Approval extends Measured {
  all: number;
}

function measureApproval(seed: Uint8Array, signatureAt: number): Approval {
  const board = Board.start(provisionedFlash(seed), new Reference(seed));
  const digits = digitsOf(board.reference.command(getPublicKey(0))!);
  const channel = awaitApproval(board);
  const { pico } = board;
  const reply = board.reference.press('both')!;
  const signature = Buffer.from(reply.subarray(0, 64));
  let [start, signed] = [0, 0];
  pico.onStore(signatureAt, 64, () => {
    if (signature.equals(pico.memory(signatureAt, 64))) signed = pico.cycles - start;
  });
  const cycles = pico.cyclesOf(
    'Z_signerZ_button',
    () => pico.press('both'),
    () => (start = pico.cycles),
  );
  expect(hex(board.receive(channel))).toBe(hex(reply));
  return { cycles: signed, digits, all: cycles[0]! };
}

/** What is left when the digits are taken into account, by what two of the rows say of them. */
function withoutDigits(rows: readonly Measured[]): Set<number> {
  const first = rows[0]!;
  const other = rows.find(({ digits }) => digits !== first.digits);
  const perDigit = other ? (other.cycles - first.cycles) / (other.digits - first.digits) : 0;
  expect(Math.abs(perDigit)).toBeLessThan(10);
  return new Set(rows.map(({ cycles, digits }) => cycles - perDigit * digits));
}

test('public keys take the same cycles for every seed, but for the digits of the address', () => {
  const board = Board.start();
  const rows = Array.from({ length: KEYS }, (_, index) => {
    board.pico.chip.flash.set(seedSegment(findBoard('pico')!, seedOf(index)).bytes, SEED_SECTOR);
    return measurePublicKey(board);
  });
  console.log(`public key: ${rows[0]!.cycles} cycles`);
  expect(withoutDigits(rows).size).toBe(1);
  expect(Math.max(...rows.map(({ cycles }) => cycles))).toBeLessThan(MAX_PUBLIC_KEY);
});

test('signatures are complete after the same cycles for every seed, but for the digits of the address', () => {
  const at = findSignature();
  const rows = Array.from({ length: SIGNATURES }, (_, index) => measureApproval(seedOf(index), at));
  const longest = Math.max(...rows.map(({ all }) => all));
  console.log(`signature: ${rows[0]!.cycles} cycles; approving press: at most ${longest} cycles`);
  expect(rows[0]!.cycles).toBeGreaterThan(1e6);
  expect(withoutDigits(rows).size).toBe(1);
  expect(longest).toBeLessThan(MAX_APPROVAL);
});

describe('multiplication', () => {
  const words = [0, 1, 2, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffff0001, 0xffffffff];
  let pico: SimulatedPico;

  beforeAll(() => {
    pico = new SimulatedPico(provisionedFlash()).boot();
  });

  /** The result in r1:r0 and the cycles of a call. */
  function call(name: string, ...values: number[]): { result: bigint; cycles: number } {
    const { core } = pico.chip;
    pico.jump(name, ...values);
    core.enabledInterrupts = 0;
    core.LR = symbol('board_sleep') | 1;
    const start = pico.cycles;
    while (core.PC !== symbol('board_sleep')) core.executeInstruction();
    const result = (BigInt(core.registers[1]!) << 32n) | BigInt(core.registers[0]!);
    return { result, cycles: pico.cycles - start };
  }

  const random = (index: number) => createHash('sha256').update(`${index}`).digest();

  test('of 64 bits is right for every product, in the same number of cycles', () => {
    const cases = [
      ...words.flatMap(low => words.flatMap(high => words.map(other => [low, high, other, high] as const))),
      ...Array.from({ length: PRODUCTS }, (_, index) => {
        const bytes = random(index);
        return [0, 4, 8, 12].map(at => bytes.readUInt32LE(at)) as [number, number, number, number];
      }),
    ];
    const cycles = new Set<number>();
    for (const [a0, a1, b0, b1] of cases) {
      const called = call('__aeabi_lmul', a0, a1, b0, b1);
      const product = ((BigInt(a1) << 32n) | BigInt(a0)) * ((BigInt(b1) << 32n) | BigInt(b0));
      expect(called.result).toBe(BigInt.asUintN(64, product));
      cycles.add(called.cycles);
    }
    expect(cycles.size).toBe(1);
  });

  test('of signed 32 bits is right for every product, in the same number of cycles', () => {
    const cases = [
      ...words.flatMap(a => words.map(b => [a | 0, b | 0] as const)),
      ...Array.from({ length: PRODUCTS }, (_, index) => {
        const bytes = random(index);
        return [bytes.readInt32LE(0), bytes.readInt32LE(4)] as const;
      }),
    ];
    const cycles = new Set<number>();
    for (const [a, b] of cases) {
      const called = call('multiply_signed_32', a, b);
      expect(BigInt.asIntN(64, called.result)).toBe(BigInt(a) * BigInt(b));
      cycles.add(called.cycles);
    }
    expect(cycles.size).toBe(1);
  });
});
