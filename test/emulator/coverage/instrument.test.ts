import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { seedFromMnemonic, TEST_MNEMONIC } from '@zbc-signer/chain';
import { instrument } from '#emulator/coverage/instrument.js';
import { Device } from '#emulator/device/device.js';
import { FIRMWARE_FILE } from '#emulator/device/firmware.js';
import { Platform } from '#emulator/device/platform.js';
import { apdu, getPublicKey, signMessage, signTransaction } from '../../../testkit/device/apdu.js';
import { messages, refusalCases, transactionCases } from '../../../testkit/repository/vectors.js';

const LEFT = 1;
const RIGHT = 2;
const BOTH = 3;

const wasm = readFileSync(FIRMWARE_FILE);
const instrumented = instrument(wasm);
const { start, length } = instrumented.area;

/** All answers and screens of a device, and its memory without the probes, after each input. */
async function watch(module: Uint8Array): Promise<string[]> {
  const seen: string[] = [];
  const platform = new Platform(await seedFromMnemonic(TEST_MNEMONIC), undefined);
  const device = new Device(await WebAssembly.compile(module), platform, memory => {
    seen.push(`memory ${crc32(memory.subarray(0, start))}`);
  });
  const note = (reply: Uint8Array | undefined) => {
    seen.push(Buffer.from(reply ?? []).toString('hex'));
    for (let screen = platform.takeShown(); screen; screen = platform.takeShown()) {
      seen.push(Buffer.from(screen.frame).toString('base64'), JSON.stringify(screen.texts));
    }
    return reply;
  };
  /** Visits every page in both directions, then approves. */
  const decide = () => {
    while (platform.screen.texts[1]?.text !== 'press both to reject') note(device.button(RIGHT));
    note(device.button(LEFT));
    note(device.button(BOTH));
  };
  const uploads = [
    [apdu(0x03)],
    [getPublicKey(3, true)],
    ...transactionCases.map(signTransaction),
    ...refusalCases.map(signTransaction),
    ...messages.cases.map(({ account, message }) => signMessage(account, Buffer.from(message, 'hex'))),
  ];
  for (const commands of uploads) {
    for (const command of commands) if (!note(device.command(command))) decide();
  }
  for (const button of [RIGHT, BOTH, BOTH, RIGHT, RIGHT, BOTH]) note(device.button(button));
  device.restart();
  return seen;
}

test('a module with probes replies, shows and stores the same as a module without probes', async () => {
  const [plain, probed] = [await watch(wasm), await watch(instrumented.wasm)];
  expect(probed).toHaveLength(plain.length);
  expect(probed.findIndex((each, index) => each !== plain[index])).toBe(-1);
  expect(plain.length).toBeGreaterThan(1000);
});

test('the firmware itself does not use the memory of the probes', async () => {
  const platform = new Platform(await seedFromMnemonic(TEST_MNEMONIC), undefined);
  const used = new Set<number>();
  const device = new Device(await WebAssembly.compile(wasm), platform, memory => {
    for (const byte of memory.subarray(start)) used.add(byte);
  });
  for (const command of signTransaction(transactionCases[0]!)) device.command(command);
  expect([...used]).toEqual([0]);
});

test('a probe is a byte that becomes 1 only when the code at the probe is executed', async () => {
  let memory: Uint8Array = new Uint8Array();
  const device = new Device(
    await WebAssembly.compile(instrumented.wasm),
    new Platform(undefined, undefined),
    each => {
      memory = each;
    },
  );
  const probes = () => memory.subarray(start, start + length);
  const boot = probes().filter(byte => byte === 1).length;
  expect(boot).toBeGreaterThan(50);
  expect(boot).toBeLessThan(length / 4);
  expect(new Set(probes())).toEqual(new Set([0, 1]));
  device.command(apdu(0x03));
  expect(probes().filter(byte => byte === 1).length).toBeGreaterThan(boot);
});

/** A module that exports its memory and f(number); each of its lines has at least one instruction. */
const SMALL = [
  [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  [0x01, 0x05, 0x01, 0x60, 0x01, 0x7f, 0x00],
  [0x03, 0x02, 0x01, 0x00],
  [0x05, 0x03, 0x01, 0x00, 0x01],
  [0x07, 0x09, 0x02, 0x01, 0x6d, 0x02, 0x00, 0x01, 0x66, 0x00, 0x00],
  [0x0a, 0x30, 0x01, 0x2e, 0x00],
  // This leaves the block unless the number is 0.
  [0x02, 0x40, 0x20, 0x00, 0x0d, 0x00],
  [0x01], // A
  [0x0b],
  [0x01], // B
  [0x20, 0x00, 0x04, 0x40],
  [0x01], // C, unless the number is 0
  [0x05],
  [0x01], // D, when it is
  [0x0b],
  // This leaves one block for 0, two for 1, and three otherwise.
  [0x02, 0x40, 0x02, 0x40, 0x02, 0x40, 0x20, 0x00, 0x0e, 0x02, 0x00, 0x01, 0x02, 0x0b],
  [0x01], // E
  [0x0b],
  [0x01], // F
  [0x0b],
  [0x01], // G
  // This selects one of two numbers.
  [0x41, 0x01, 0x41, 0x02, 0x20, 0x00, 0x1b, 0x1a],
  [0x0b],
];

test.each([
  [0, 'ABDEFG', [1, 1, 0, 1]],
  [1, 'BCFG', [0, 0, 1, 0]],
  [2, 'BCG', [0, 0, 2, 0]],
  [77, 'BCG', [0, 0, 2, 0]],
])('for the argument %d, the code executes %s and takes the branches %j', async (given, passed, ways) => {
  const { wasm: probed, area, instructions, decisions } = instrument(Uint8Array.from(SMALL.flat()));
  const { exports } = new WebAssembly.Instance(await WebAssembly.compile(probed), {});
  const { m, f } = exports as unknown as { m: WebAssembly.Memory; f(number: number): void };
  f(given);
  const probes = new Uint8Array(m.buffer, area.start, area.length);
  const offsets = SMALL.map((_, index) => SMALL.slice(0, index).flat().length);
  const nops = offsets.filter((_, index) => SMALL[index]![0] === 0x01 && SMALL[index]!.length === 1);
  expect(nops).toHaveLength(7);
  const probeOf = (offset: number) => instructions.find(each => each.offset === offset)!.probe;
  expect([...'ABCDEFG'].filter((_, index) => probes[probeOf(nops[index]!)] === 1).join('')).toBe(passed);
  const gone = decisions.map(each => [...probes.subarray(each.probe, each.probe + each.ways)]);
  expect(gone.map(each => each.indexOf(1))).toEqual(ways);
  expect(gone.map(each => each.filter(way => way === 1))).toEqual([[1], [1], [1], [1]]);
});

test('a file that is not a firmware module is rejected', () => {
  // The module imports one memory.
  const imports = [0x02, 0x07, 0x01, 0x01, 0x61, 0x01, 0x62, 0x02, 0x00];
  expect(() => instrument(Uint8Array.from([...wasm.subarray(0, 8), ...imports, 1]))).toThrow(
    expect.objectContaining({ code: 'BAD_COVERAGE' }),
  );
  expect(() => instrument(wasm.subarray(0, 2000))).toThrow(expect.objectContaining({ code: 'BAD_COVERAGE' }));
});
