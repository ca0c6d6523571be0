// Faults in a Pico's own code for control transfers with the host, and for frames of the display.
import { symbol } from '../../testkit/boards/image.js';
import { PicoDriver } from '../../testkit/boards/pico-driver.js';
import { Ssd1306 } from '../../testkit/boards/ssd1306.js';
import { emptyStorage } from '../../testkit/boards/storage.js';
import { type Setup, STALL } from '../../testkit/boards/usb-host.js';
import { GET_APP_VERSION } from '../../testkit/device/apdu.js';
import { framed } from '../../testkit/device/reports.js';
import { SESSIONS } from '../single-faults/session.js';
import {
  atPress,
  CHANNEL,
  type FaultScenario,
  judgeReports,
  mainLoop,
  openReview,
  pageThrough,
  REPLY_MS,
  toPage,
  type Verdict,
} from './fault-scenario.js';
import { type CallSetup, type Outcome, TracedCall } from './trial.js';

// The following code tests control transfers.

const [REGISTERS, REGISTERS_END] = [0x50110000, 0x50114000];
const [SIE_STATUS, BUFF_STATUS, INTS] = [0x50110050, 0x50110058, 0x50110098];
const [SETUP_REQ, BUS_RESET, SOF, BUFFERS] = [1 << 16, 1 << 12, 1 << 17, 1 << 4];
const [EP0_IN, AVAILABLE, STALLS, FULL] = [0x80, 1 << 10, 1 << 11, 1 << 15];
const PACKET = 64;
/** More packets than any answer has. */
const MOST_PACKETS = 8;
const ALL = 0xffff;

const STANDARD: Setup = { type: 0x80, request: 6, length: ALL };
/** All control transfers with an answer: descriptors of all kinds, and the empty report. */
const GIVEN: readonly Setup[] = [
  ...[0x100, 0x200, 0xf00, 0x300, 0x301, 0x302, 0x303].map(value => ({ ...STANDARD, value })),
  ...[0x2100, 0x2200].map(value => ({ ...STANDARD, type: 0x81, value })),
  { type: 0xc0, request: 2, index: 7, length: ALL },
  { type: 0xa1, request: 1, value: 0x100, length: ALL },
];
const SERIAL = GIVEN[6]!;
/** The requests of the short form; a host asks for the whole answer, or for a part. */
const ASKED: readonly (Setup & { name: string })[] = [
  { ...SERIAL, name: 'the serial number' },
  { ...STANDARD, value: 0x200, name: 'the configuration' },
  { ...STANDARD, value: 0x100, length: 8, name: 'a part of the device descriptor' },
  { ...STANDARD, value: 0x600, name: 'a descriptor that does not exist' },
  { type: 0x82, request: 0, index: 0x81, length: 2, name: 'the status of an endpoint' },
  { type: 0x80, request: 8, length: ALL, name: 'the number of the configuration' },
  { ...GIVEN[9]!, name: 'the Microsoft OS descriptors' },
  { ...GIVEN[10]!, name: 'a report over endpoint 0' },
  { type: 0x02, request: 3, index: 0x81, name: 'a request to halt an endpoint' },
  { type: 0, request: 9, value: 1, name: 'a request to configure' },
];

const setupBytes = ({ type, request, value = 0, index = 0, length = 0 }: Setup) => {
  const bytes = Buffer.alloc(8);
  bytes.set([type, request]);
  bytes.writeUInt16LE(value, 2);
  bytes.writeUInt16LE(index, 4);
  bytes.writeUInt16LE(length, 6);
  return bytes;
};

/**
 * Calls of the USB interrupt until the host has the whole answer. `now` holds the reasons for the interrupt,
 * the used buffers, and the number of packets.
 */
function interrupt({ pico }: PicoDriver, reasons: number, buffers: number): CallSetup {
  const { usbDPRAMView: view } = pico.chip;
  const setup: CallSetup = {
    entry: 'usb_interrupt',
    shows: true,
    now: [reasons, buffers, 0],
    read: address => {
      if (address < REGISTERS || address >= REGISTERS_END) return undefined;
      return address === INTS ? setup.now[0]! : address === BUFF_STATUS ? setup.now[1]! : 0;
    },
    write: (address, value) => {
      if (address < REGISTERS || address >= REGISTERS_END) return false;
      const [raised, used, packets] = setup.now as [number, number, number];
      if (address === SIE_STATUS) setup.now = [raised & BUFFERS, used, packets];
      if (address === BUFF_STATUS) setup.now = [raised & ~BUFFERS, used & ~value, packets];
      return true;
    },
    again: () => {
      const control = view.getUint32(EP0_IN, true);
      const packets = setup.now[2]! + 1;
      if ((control & AVAILABLE) === 0 || (control & STALLS) !== 0 || packets > MOST_PACKETS) return false;
      view.setUint32(EP0_IN, control & ~(AVAILABLE | FULL), true);
      setup.now = [BUFFERS, 1, packets];
      return true;
    },
  };
  return setup;
}

export async function* controlScenarios(secret: readonly number[]): AsyncGenerator<FaultScenario> {
  const driver = await PicoDriver.open({ storage: emptyStorage(), passphrase: '' });
  const given: Buffer[] = [Buffer.of(0, 0), Buffer.of(1, 0), Buffer.of(1)];
  for (const setup of GIVEN) {
    const bytes = driver.host.control(setup);
    if (bytes === STALL)
      throw new Error(`the device does not answer the request ${setupBytes(setup).toString('hex')}`);
    given.push(Buffer.from(bytes));
  }
  for (const link of [0, 1]) {
    for (const report of framed(CHANNEL, GET_APP_VERSION)) await driver.write(link, report);
    await driver.read(link, REPLY_MS);
  }
  await driver.settle();
  const { pico } = driver;
  const begin = { sram: pico.chip.sram.slice(), usb: pico.chip.usbDPRAM.slice() };
  // The previous content of the controller's memory is not secret, so the host may read it.
  const wasThere = (at: number, packet: Uint8Array) =>
    Buffer.compare(packet, begin.usb.subarray(at, at + packet.length)) === 0;
  const judge = ({ end, reports }: Outcome): Verdict => {
    if (end === 'signs') return end;
    for (const report of reports) {
      if (/^(link 1: )?$/.test(report)) continue;
      const packet = Buffer.from(report.replace(/^.*: /, ''), 'hex');
      const isGiven = report.startsWith('control: ')
        ? packet.length <= PACKET && given.some(bytes => bytes.includes(packet))
        : wasThere(report.startsWith('link') ? 0x200 : 0x180, packet);
      if (!isGiven) return 'garbled';
    }
    return end;
  };
  const interrupted = (name: string, reasons: number, buffers = 0): FaultScenario => {
    const traced = new TracedCall(pico, secret, interrupt(driver, reasons, buffers));
    return { name, traced, steps: traced.stepsToTry(true), judge };
  };
  for (const { name, ...setup } of ASKED) {
    pico.chip.sram.set(begin.sram);
    pico.chip.usbDPRAM.set(begin.usb);
    pico.chip.usbDPRAM.set(setupBytes(setup));
    yield interrupted(name, SETUP_REQ);
  }
  pico.chip.sram.set(begin.sram);
  pico.chip.usbDPRAM.set(begin.usb);
  yield interrupted('a reset of the bus', BUS_RESET);
  pico.chip.sram.set(begin.sram);
  pico.chip.usbDPRAM.set(begin.usb);
  // All endpoints have sent their packets, and a frame starts.
  yield interrupted('packets', BUFFERS | SOF, 0b111100);
}

// The following code tests frames.

const [IC_DATA_CMD, IC_STATUS] = [0x40044010, 0x40044070];
const [IC_START, IC_END, IC_READY, IC_STOP] = [0x40044000, 0x40048000, 6, 1 << 9];
/** Number of instructions that convert and send a frame. */
const A_FRAME = 300_000;

/** Returns a call of the driver of a connected display. `now` holds the bytes sent. */
function showing(entry: string): CallSetup {
  const setup: CallSetup = {
    entry,
    patience: A_FRAME,
    now: [],
    read: address => {
      if (address < IC_START || address >= IC_END) return undefined;
      return address === IC_STATUS ? IC_READY : 0;
    },
    write: (address, value) => {
      if (address < IC_START || address >= IC_END) return false;
      if (address === IC_DATA_CMD) setup.now = [...setup.now, value];
      return true;
    },
    again: returned => {
      setup.now = [...setup.now, -1 - (returned & 0xff)];
      return false;
    },
  };
  return setup;
}

/**
 * Shows the right frame on a display, changes the memory of the display, and sends `words` to it. Returns the
 * frame that the display then shows; undefined if the display rejects the words.
 */
function sentTo(
  memory: Uint8Array,
  right: readonly number[],
  words: readonly number[],
): Uint8Array | undefined {
  const display = new Ssd1306();
  try {
    feed(display, right);
    display.memory.set(memory);
    feed(display, words);
    return display.frame();
  } catch {
    return undefined;
  }
}

function feed(display: Ssd1306, words: readonly number[]): void {
  let isNew = true;
  for (const word of words) {
    if (isNew) display.begin();
    display.write(word & 0xff);
    isNew = (word & IC_STOP) !== 0;
  }
}

export async function* frameScenarios(
  secret: readonly number[],
  all: boolean,
): AsyncGenerator<FaultScenario> {
  const { driver } = await openReview(SESSIONS[0]!);
  const { pico } = driver;
  const due = (await driver.frame())!;
  pico.chip.core.registers[0] = symbol('signer_hal') + 1;
  const setup = showing('display_show');
  // The display's memory is inverted, so that a missing byte is wrong in every pixel.
  const other = pico.display.memory.map(byte => byte ^ 0xff);
  const traced = new TracedCall(pico, secret, setup);
  const right = setup.now.slice(0, -1);
  const judge = ({ end }: Outcome): Verdict => {
    if (end !== 'idle' || setup.now.at(-1) === -1) return end;
    const words = setup.now.slice(0, -1);
    if (words.length < right.length - 1) return 'cut';
    const shown = sentTo(other, right, words);
    return shown && Buffer.compare(shown, due) === 0 ? 'idle' : 'blurred';
  };
  if (judge(traced.right) !== 'idle') throw new Error('without a fault, the right frame is not shown');
  yield { name: 'a frame', traced, steps: traced.stepsToTry(all), judge };

  yield await dark(secret);
  yield await refused(secret);
}

/** More instructions than a press needs to reach the signing function. */
const TO_SIGNATURE = 3_000_000;

/** Presses both keys on an approve page whose frame the display has not acknowledged. */
async function dark(secret: readonly number[]): Promise<FaultScenario> {
  const { driver } = await openReview(SESSIONS[0]!);
  const { length: pages } = await pageThrough((await openReview(SESSIONS[0]!)).driver);
  await toPage(driver, pages - 2);
  driver.pico.write(symbol('shown'), Uint8Array.of(0));
  await atPress(driver, 'both');
  const traced = new TracedCall(driver.pico, secret, { ...mainLoop(driver, false), patience: TO_SIGNATURE });
  const judge = (outcome: Outcome) => judgeReports(outcome, new Set()) ?? outcome.end;
  return { name: 'a press on a page that was not shown', traced, steps: traced.stepsToTry(true), judge };
}

/** Presses a key whose next page the display rejects. */
async function refused(secret: readonly number[]): Promise<FaultScenario> {
  const { driver } = await openReview(SESSIONS[0]!);
  await atPress(driver, 'right');
  const traced = new TracedCall(driver.pico, secret, mainLoop(driver, false));
  const isShown = () => driver.pico.memory(symbol('shown'), 1)[0] !== 0;
  const judge = (outcome: Outcome): Verdict =>
    judgeReports(outcome, new Set()) ??
    (outcome.end === 'idle' && outcome.frames.length > 0 && isShown() ? 'dark' : outcome.end);
  return {
    name: 'a page that is refused',
    traced,
    steps: traced.stepsToTry(true, traced.firstStepAt(symbol('front_show'))),
    judge,
  };
}
