import { join } from 'node:path';
import { BoardImage } from '../../../testkit/boards/board-image.js';
import { wordOf } from '../../../testkit/boards/opened-keystore.js';
import type { Gdb } from '../../../testkit/boards/qemu/gdb.js';
import { Machine } from '../../../testkit/boards/qemu/machine.js';
import { TRUSTZONE } from '../../../testkit/boards/qemu/mps2-an505.js';
import { readSymbols } from '../../../testkit/boards/symbols.js';

/** Register numbers of the debugger's stub. */
const [FIRST_ARGUMENT, LINK, PROGRAM] = [0, 14, 15];
/** Addresses of memories and peripherals for the secure world have this bit. */
const SECURE_ALIAS = 1 << 28;
const REPORT_BYTES = 64;
/** Addresses in docs/boards/mps2-an505.md#worlds */
const [OTHERS_START, OTHERS_END] = [0x28200000, 0x28204000];
const [HOST_UART, PANEL_UART] = [0x40200000, 0x50201000];
const BAUD_DIVISOR_AT = 16;
const BAUD_DIVISOR = Math.floor(20_000_000 / 115_200);
/** Start of the settings, in sectors of 4 KB. The sectors of a vault follow those of the settings. */
const SETTINGS = 0x10000000 + (3 << 20);
const VAULT = SETTINGS + 2 * 4096;
const [MPC_OF_SSRAM1, MPC_OF_SSRAM2] = [0x58007000, 0x58008000];
const [CFSR, SFSR] = [0xe000ed28, 0xe000ede4];
const [ICSR, PENDSTSET] = [0xe000ed04, 1 << 26];
/** Bits of an exception's return value: the stack of its frame, and the mode to return to. */
const [FROM_SECURE, FROM_THREAD] = [1 << 6, 1 << 3];
const MARKER = Buffer.from('a seed, say');
/** The architecture's names of faults. */
const FAULTS = {
  INVEP: [SFSR, 1],
  AUVIOL: [SFSR, 8],
  PRECISERR: [CFSR, 1 << 9],
  NOCP: [CFSR, 1 << 19],
} as const;
type FaultName = keyof typeof FAULTS;

const image = new BoardImage('mps2-an505');
const others = readSymbols(join(image.directory, 'nonsecure.sym'));
const other = (name: string) => others.get(name)!;
/** Return addresses for functions that a test calls in each world. */
const [SECURE_STOP, OTHER_STOP] = [image.symbol('exchange_start'), other('panel_take')];
const SCRATCH = other('outgoing_report');

const [BX_R0, BX_LR, STR_R1_R0, CPSID_I, LOOP] = [0x4700, 0x4770, 0x6001, 0xb672, 0xe7fe];
const VMOV_S0_R0 = [0xee00, 0x0a10];

let machine: Machine;
let gdb: Gdb;

beforeAll(async () => {
  machine = await Machine.start({ ...TRUSTZONE, arguments: () => TRUSTZONE.arguments(image) });
  gdb = await machine.debug();
  for (const at of [SECURE_STOP, OTHER_STOP, image.symbol('trap'), other('doorbell_interrupt')])
    await gdb.breakAt(at);
});
/** Each test starts after a reset, with the other world's program loaded but not yet run. */
beforeEach(async () => {
  await machine.reset();
  expect(await gdb.resume()).toBe(true);
  expect(await gdb.register(PROGRAM)).toBe(SECURE_STOP);
});
afterAll(async () => {
  await machine.kill();
  machine.discard();
});

/**
 * Calls a function of the board's current world, which returns to `stop`; returns the address where the board
 * stops.
 */
async function call(stop: number, at: number, ...values: number[]): Promise<number> {
  const given = Object.fromEntries(values.map((value, index) => [FIRST_ARGUMENT + index, value]));
  await gdb.setRegisters({ ...given, [LINK]: stop | 1, [PROGRAM]: at & ~1 });
  expect(await gdb.resume()).toBe(true);
  return gdb.register(PROGRAM);
}

async function callSecure(name: string, ...values: number[]): Promise<void> {
  expect(await call(SECURE_STOP, image.symbol(name), ...values)).toBe(SECURE_STOP);
}

/**
 * Enters the other world's interrupt from a function of the secure world that triggers it; returns the return
 * value of the exception.
 */
async function enterOther(ringing = 'links_start'): Promise<number> {
  expect(await call(SECURE_STOP, image.symbol(ringing), 0)).toBe(other('doorbell_interrupt'));
  return gdb.register(LINK);
}

/** Writes instructions to memory from which a world runs them. */
async function assemble(at: number, ...halfWords: number[]): Promise<void> {
  await gdb.write(at, Uint8Array.from(halfWords.flatMap(half => [half & 0xff, half >> 8])));
}

/** The outcome of a call in the other world: its result, or the fault that the signer's world handles. */
async function outcome(at: number, ...values: number[]): Promise<number | FaultName | undefined> {
  const stopped = await call(OTHER_STOP, at, ...values);
  if (stopped === OTHER_STOP) return gdb.register(FIRST_ARGUMENT);
  expect(stopped).toBe(image.symbol('trap'));
  for (const name of Object.keys(FAULTS) as FaultName[]) {
    const [register, bit] = FAULTS[name];
    if ((await gdb.read(register, 4)).readUInt32LE() & bit) return name;
  }
  return undefined;
}

/** The bytes that the other world reads at an address, or the resulting fault. */
async function readByOther(address: number, length = 4): Promise<Buffer | FaultName | undefined> {
  const result = await outcome(other('memcpy'), SCRATCH, address, length);
  return typeof result === 'number' ? gdb.read(SCRATCH, length) : result;
}

async function veneer(index: 0 | 1 | 2): Promise<number> {
  return (await gdb.read(OTHERS_END - 12 + 4 * index, 4)).readUInt32LE();
}
const isSet = async (name: string) => (await machine.memory(image.symbol(name), 1))[0];

test('the non-secure world can read its own memory and the UART of the host', async () => {
  await enterOther();
  expect(await readByOther(OTHERS_START)).toEqual(await gdb.read(OTHERS_START, 4));
  await call(OTHER_STOP, other('uart_start'));
  const divisor = await readByOther(HOST_UART + BAUD_DIVISOR_AT);
  expect((divisor as Buffer).readUInt32LE()).toBe(BAUD_DIVISOR);
});

const SECRETS = {
  'code of the signer': image.symbol('reset'),
  'memory of the keystore': image.symbol('keystore_memory'),
  'memory of the signer': image.symbol('module_memory'),
  'the stack': image.symbol('stack_bottom'),
  'the settings': SETTINGS,
  'the vault': VAULT,
  'the UART of display and keys': PANEL_UART,
  'the controller that makes memory secure': MPC_OF_SSRAM2,
  'the watchdog': 0x5002e000,
};

test.each(Object.entries(SECRETS))('a read of %s from the non-secure world is a trap', async (_, address) => {
  await enterOther();
  expect(await readByOther(address)).toBe('AUVIOL');
});

test.each(Object.entries(SECRETS))(
  'a read of %s at its non-secure address from the non-secure world is also a trap',
  async (_, address) => {
    await enterOther();
    expect(await readByOther(address & ~SECURE_ALIAS)).toBe('AUVIOL');
  },
);

// Each of the two locks is opened by itself, then both. This shows that the read needs both to be open.

const openRange = (at: number) => callSecure('give_range', 3, at, at + 0x1000, 0);

describe.each([
  ['RAM', image.symbol('ram_end'), MPC_OF_SSRAM2],
  ['the vault', VAULT, MPC_OF_SSRAM1],
])('%s under two protections', (_, secret, mpc) => {
  const outside = secret & ~SECURE_ALIAS;
  const openMemory = () => callSecure('give_memory', mpc, outside & 0x3fffff, (outside & 0x3fffff) + 0x1000);
  beforeEach(() => gdb.write(secret, MARKER));

  test('stays protected by the memory controller if only the core allows access', async () => {
    await openRange(outside);
    await enterOther();
    expect(await readByOther(outside)).toBe('PRECISERR');
  });

  test('stays protected by the core if only the memory controller allows access', async () => {
    await openMemory();
    await enterOther();
    expect(await readByOther(outside)).toBe('AUVIOL');
  });

  test('can be read if both allow access', async () => {
    await openRange(outside);
    await openMemory();
    await enterOther();
    expect(await readByOther(outside, MARKER.length)).toEqual(MARKER);
    expect(await readByOther(secret)).toBe('AUVIOL');
  });
});

test('the UART of display and keys can be read if both the core and the peripheral controller allow access', async () => {
  const outside = PANEL_UART & ~SECURE_ALIAS;
  await callSecure('uart_start');
  await openRange(outside);
  await callSecure('give_ports', 1 << 6);
  await enterOther();
  const divisor = await readByOther(outside + BAUD_DIVISOR_AT);
  expect((divisor as Buffer).readUInt32LE()).toBe(BAUD_DIVISOR);
});

test('the peripheral controller protects the UART of display and keys if only the core allows access', async () => {
  const divisor = (PANEL_UART & ~SECURE_ALIAS) + BAUD_DIVISOR_AT;
  await openRange(PANEL_UART & ~SECURE_ALIAS);
  await enterOther();
  await writeByOther(divisor, BAUD_DIVISOR);
  // QEMU's controllers in front of peripherals ignore writes and return zeros instead of a bus error.
  expect(await readByOther(divisor)).toEqual(Buffer.alloc(4));
});

test.each(['flash_write', '__acle_se_gateway_give', 'board_wipe_and_reset'])(
  'a jump from the non-secure world to %s is a trap',
  async name => {
    await enterOther();
    expect(await outcome(image.symbol(name))).toBe('INVEP');
  },
);

/** Addresses at which a report is not entirely in the caller's memory. */
const FOREIGN = [
  image.symbol('keystore_memory'),
  image.symbol('keystore_memory') & ~SECURE_ALIAS,
  PANEL_UART,
  OTHERS_START - REPORT_BYTES / 2,
  OTHERS_END - REPORT_BYTES / 2,
  0xffffffff - REPORT_BYTES / 2,
  0,
];

test('the gateway reads a report only from memory of its caller', async () => {
  await enterOther();
  const give = await veneer(0);
  for (const address of FOREIGN) expect([address, await outcome(give, address)]).toEqual([address, 0]);
  expect(await isSet('has_received')).toBe(0);
  expect(await outcome(give, SCRATCH)).toBe(1);
  expect(await isSet('has_received')).toBe(1);
});

test('the gateway writes a report only to memory of its caller', async () => {
  const secret = image.symbol('keystore_memory');
  await gdb.write(secret, MARKER);
  await gdb.write(image.symbol('outgoing_report'), Buffer.alloc(REPORT_BYTES, 7));
  await gdb.write(image.symbol('is_sending'), Uint8Array.of(1));
  await enterOther();
  const take = await veneer(1);
  for (const address of FOREIGN) expect([address, await outcome(take, address)]).toEqual([address, 0]);
  expect(await isSet('is_sending')).toBe(1);
  const kept = await machine.memory(secret, MARKER.length);
  expect(Buffer.from(kept)).toEqual(MARKER);
  expect(await outcome(take, SCRATCH)).toBe(1);
  expect(await gdb.read(SCRATCH, REPORT_BYTES)).toEqual(Buffer.alloc(REPORT_BYTES, 7));
});

test('only the first instruction of each veneer of the gateway can be jumped to', async () => {
  const [start, end] = [image.symbol('gateway_start'), image.symbol('gateway_end')];
  await enterOther();
  const entries = [await veneer(0), await veneer(1), await veneer(2)].map(at => at & ~1);
  for (let at = start; at < end; at += 2) {
    if (entries.includes(at)) continue;
    await machine.reset();
    await gdb.resume();
    await enterOther();
    expect([at, await outcome(at)]).toEqual([at, 'INVEP']);
  }
});

test('the signer can interrupt a veneer, whose report still arrives whole', async () => {
  const report = Buffer.from(Array.from({ length: REPORT_BYTES }, (_, at) => at + 1));
  const [tick, copy] = [image.symbol('tick_interrupt'), image.symbol('memcpy')];
  await enterOther();
  await gdb.write(SCRATCH, report);
  const give = await veneer(0);
  await gdb.breakAt(copy);
  expect(await call(OTHER_STOP, give, SCRATCH)).toBe(copy);
  await gdb.unbreakAt(copy);
  for (let step = 0; step < report.length; step++) await gdb.step();
  await gdb.breakAt(tick);
  await gdb.write(ICSR, wordOf(PENDSTSET));
  expect(await gdb.resume()).toBe(true);
  expect(await gdb.register(PROGRAM)).toBe(tick);
  await gdb.unbreakAt(tick);
  expect((await gdb.register(LINK)) & (FROM_SECURE | FROM_THREAD)).toBe(FROM_SECURE);
  expect(await gdb.resume()).toBe(true);
  expect(await gdb.register(PROGRAM)).toBe(OTHER_STOP);
  expect(await gdb.register(FIRST_ARGUMENT)).toBe(1);
  expect(Buffer.from(await machine.memory(image.symbol('received'), REPORT_BYTES))).toEqual(report);
});

test('a veneer leaves no data of the secure world in registers', async () => {
  await gdb.write(image.symbol('is_sending'), Uint8Array.of(1));
  await enterOther();
  expect(await outcome(await veneer(1), SCRATCH)).toBe(1);
  for (const scratch of [1, 2, 3, 12]) expect((await gdb.register(scratch)) & SECURE_ALIAS).toBe(0);
});

/** Lets the other world call veneers with a report; returns the result of each. */
async function ring(ringing: 'links_start' | 'link_done', ...called: (0 | 2)[]): Promise<unknown[]> {
  const back = await enterOther(ringing);
  const results: unknown[] = [];
  for (const index of called) results.push(await outcome(await veneer(index), SCRATCH));
  await assemble(SCRATCH, BX_R0);
  expect(await call(OTHER_STOP, SCRATCH, back)).toBe(SECURE_STOP);
  return results;
}
async function received(): Promise<number> {
  await callSecure('link_received', 0);
  return gdb.register(FIRST_ARGUMENT);
}

test('a report of a new host waits until the signer knows that the previous host disconnected', async () => {
  expect((await ring('links_start', 2, 0))[1]).toBe(1);
  expect(await received()).toBe(0);
  await callSecure('links_lost');
  expect(await received()).toBe(image.symbol('received'));
});

test('a report of a new host waits until the report of the previous host is read', async () => {
  expect(await ring('links_start', 0)).toEqual([1]);
  expect(await received()).toBe(image.symbol('received'));
  expect((await ring('links_start', 2, 0))[1]).toBe(0);
  expect(await ring('link_done', 0)).toEqual([1]);
  await callSecure('links_lost');
  expect(await received()).toBe(image.symbol('received'));
});

// The following registers belong to the core.

const [AIRCR, SAU_CTRL, VTOR, NVIC_ITNS, CPACR] = [
  0xe000ed0c, 0xe000edd0, 0xe000ed08, 0xe000e380, 0xe000ed88,
];
const writeByOther = async (address: number, value: number) => {
  await assemble(SCRATCH, STR_R1_R0, BX_LR);
  return outcome(SCRATCH, address, value);
};

test('the non-secure world cannot remove protection, move vectors or reset the chip by registers of the core', async () => {
  const secret = image.symbol('keystore_memory');
  const rows = [SAU_CTRL, VTOR, NVIC_ITNS, NVIC_ITNS + 4];
  const words = async () => {
    const found = [];
    for (const at of rows) found.push((await gdb.read(at, 4)).readUInt32LE());
    return found;
  };
  const before = await words();
  await enterOther();
  await writeByOther(AIRCR, 0x05fa0004);
  for (const at of rows) await writeByOther(at, at === VTOR ? OTHERS_START + 0x1000 : 0);
  expect(await readByOther(secret & ~SECURE_ALIAS)).toBe('AUVIOL');
  expect(await words()).toEqual(before);
  expect(machine.isReset).toBe(false);
});

test('the non-secure world cannot hold an interrupt of the signer', async () => {
  await enterOther();
  await gdb.breakAt(image.symbol('tick_interrupt'));
  await assemble(SCRATCH, CPSID_I, LOOP);
  const stopped = await call(OTHER_STOP, SCRATCH);
  await gdb.unbreakAt(image.symbol('tick_interrupt'));
  expect(stopped).toBe(image.symbol('tick_interrupt'));
});

test('the non-secure world cannot use floating-point registers', async () => {
  await enterOther();
  await writeByOther(CPACR, 0xf << 20);
  await assemble(SCRATCH, ...VMOV_S0_R0, BX_LR);
  expect(await outcome(SCRATCH)).toBe('NOCP');
});

test('if the non-secure world hangs, the watchdog causes a trap', async () => {
  await callSecure('board_begin_trap', 100);
  await callSecure('board_release_interrupts');
  await enterOther();
  await assemble(SCRATCH, LOOP);
  expect(await call(OTHER_STOP, SCRATCH)).toBe(image.symbol('trap'));
});

test('a write from the non-secure world is a trap, which clears all memory of the signer', async () => {
  const secret = image.symbol('keystore_memory');
  await gdb.write(secret, MARKER);
  await enterOther();
  expect(await outcome(other('memcpy'), secret & ~SECURE_ALIAS, OTHERS_START, 4)).toBe('AUVIOL');
  expect(await gdb.read(secret, MARKER.length)).toEqual(MARKER);
  await gdb.unbreakAt(image.symbol('trap'));
  await gdb.detach();
  while (!machine.isReset) await new Promise(resolve => setTimeout(resolve, 1));
  const [start, end] = [image.symbol('ram_start'), image.symbol('bss_end')];
  const ram = await machine.memory(start, end - start);
  expect(ram.every(byte => byte === 0)).toBe(true);
});
