import type { RPUSBController } from 'rp2040js';
import type { Clock, SimulatedPico } from './pico.js';
import { UsbBuffers } from './usb-buffers.js';

export const STALL = 'stall';
const SLOT_NANOSECONDS = 50_000;
const SLOTS_A_FRAME = 20;
const HID_ENDPOINT = 1;
const PULLUP_EN = 1 << 16;
/** Offsets of registers that the simulator implements only partly or not at all. */
const [SOF_RD, SIE_STATUS, MUXING, PHY_DIRECT, PHY_OVERRIDE] = [0x48, 0x50, 0x74, 0x7c, 0x80];
const [DEV_SOF, DEV_SUSPEND, SUSPENDED] = [1 << 17, 1 << 14, 1 << 4];
const [LINE_STATE, J, K] = [3 << 2, 1 << 2, 2 << 2];
/** The pin GP15, and the value of its control register that makes it the input of DP, held high. */
const [DP_PIN, DP_HIGH] = [15, 8 | (3 << 16)];
const [TO_PHY, TO_DIGITAL_PAD, DP_PULLUP_EN, DP_PULLUP_OVERRIDE] = [1, 1 << 2, 1 << 1, 1 << 2];
const IDLE_MS = 0.8;
const RECOVERY_MS = 10;

export interface Setup {
  type: number;
  request: number;
  value?: number;
  index?: number;
  length?: number;
}

/** Members of the simulator's controller that its types declare private. */
interface Controller {
  intRaw: number;
  sieStatus: number;
  rawWriteValue: number;
  checkInterrupts(): void;
  sofFrameNumber: number;
  addrEndp: number;
  epStallArm: number;
  handleSieCtrlWrite(value: number): void;
}

type Deliver = (packet: Uint8Array | typeof STALL) => void;

interface Sending {
  packet: Uint8Array;
  accept: () => void;
}

interface ControlTransfer {
  setup: Uint8Array;
  stage: 'setup' | 'data' | 'status';
  isIn: boolean;
  received: number[];
  result?: Uint8Array | typeof STALL;
}

/**
 * A full-speed USB host that checks the buffers of the device strictly. It replaces the host of the
 * simulator, which counts a packet as sent as soon as it is armed, and ignores stalls and data toggles. There
 * is one transaction every 50 us. Interrupt endpoints have one transaction per frame of 1 ms. Faults of the
 * device are in `faults`.
 */
export class UsbHost {
  readonly faults: string[] = [];
  /** Number of transactions for which the device was not ready. */
  naks = 0;
  isConnected = false;
  /** Whether a hub forwards traffic for other devices, so that the line is never idle (RP2040-E5). */
  isBusy = false;
  #isAsleep = false;
  /** Time since which the device has seen an idle line. */
  #idleSince: number | undefined;
  /** Whether the device receives packets. After a bus reset, the line must first be idle for long enough. */
  #hears = true;
  readonly #registers = new Map([
    [MUXING, TO_PHY],
    [PHY_DIRECT, 0],
    [PHY_OVERRIDE, 0],
  ]);
  readonly #buffers: UsbBuffers;
  readonly #usb: RPUSBController;
  readonly #controller: Controller;
  readonly #out = new Map<number, Sending[]>([
    [1, []],
    [2, []],
  ]);
  readonly #in = new Map<number, Deliver[]>([
    [1, []],
    [2, []],
  ]);
  #control: ControlTransfer | undefined;
  #address = 0;
  #slots = 0;
  #frameBegan = 0;

  constructor(readonly pico: SimulatedPico) {
    this.#usb = pico.chip.usbCtrl;
    this.#controller = this.#usb as unknown as Controller;
    this.#buffers = new UsbBuffers(
      pico.chip,
      () => pico.milliseconds - this.#frameBegan,
      text => this.#fault(text),
    );
    this.#supplement();
    const alarm = (pico.chip.clock as unknown as Clock).createAlarm(() => {
      alarm.schedule(SLOT_NANOSECONDS);
      this.#slot();
    });
    this.#onPullUp(() => alarm.schedule(SLOT_NANOSECONDS));
  }

  /** Resets the bus, as a host does when a device is plugged in. */
  reset(): void {
    this.#address = 0;
    this.#control = undefined;
    for (const queue of this.#out.values()) queue.length = 0;
    let isReset = false;
    this.#usb.onResetReceived = () => {
      isReset = true;
    };
    this.#usb.resetDevice();
    this.#until(() => isReset, 'bus reset');
    this.#buffers.reset();
    this.#hears = !this.isBusy;
    this.pico.run(RECOVERY_MS);
  }

  /** Stops all traffic on the bus. */
  suspend(): void {
    this.#isAsleep = true;
    this.pico.run(3);
    this.#controller.sieStatus |= SUSPENDED;
    this.#interrupt(DEV_SUSPEND);
  }

  /** Resets a suspended bus. */
  wakeByReset(): void {
    this.#setLine(0);
    this.pico.run(5);
    this.#isAsleep = false;
    this.reset();
  }

  /** Resumes a suspended bus: signals K for 20 ms, in which the device must wake up. */
  resume(): void {
    this.#setLine(K);
    this.pico.run(20);
    this.#setLine(J);
    if (!this.pico.isClockedForUsb) this.#fault('the device sleeps on');
    this.#isAsleep = false;
    this.pico.run(1);
  }

  /** Enumerates the device as a host does. */
  enumerate(): this {
    this.#until(() => this.isConnected, 'pull-up');
    this.reset();
    this.control({ type: 0, request: 5, value: 7 });
    this.control({ type: 0, request: 9, value: 1 });
    return this;
  }

  /** Resets the bus and sends a SETUP. The device notices both at the same time. */
  resetThenControl(setup: Setup): Uint8Array | typeof STALL {
    // The first reset sets the device's address to 0. The device therefore receives the SETUP, although it
    // has not yet noticed the second reset.
    this.reset();
    this.#usb.resetDevice();
    this.#buffers.reset();
    return this.control(setup, true);
  }

  /**
   * Performs a control transfer that sends no data to the device. Returns the data from the device, or STALL.
   * The SETUP is sent in the next slot, or immediately if `now`.
   */
  control(setup: Setup, now = false): Uint8Array | typeof STALL {
    const transfer = this.#begin(setup);
    if (now) this.#serveControl(transfer);
    this.#until(() => transfer.result !== undefined, `control ${JSON.stringify(setup)}`);
    return transfer.result!;
  }

  /** Begins a control transfer, and abandons it after its SETUP. */
  abandon(setup: Setup): void {
    this.#serveControl(this.#begin(setup));
    this.#control = undefined;
    this.pico.run(1);
  }

  #begin({ type, request, value = 0, index = 0, length = 0 }: Setup): ControlTransfer {
    const setup = Buffer.of(
      type,
      request,
      value & 0xff,
      value >> 8,
      index & 0xff,
      index >> 8,
      length & 0xff,
      length >> 8,
    );
    const isIn = (type & 0x80) !== 0 && length > 0;
    this.#control = { setup, stage: 'setup', isIn, received: [] };
    return this.#control;
  }

  /** Queues a packet for the device. If `waits`, waits until the device has accepted it. */
  write(endpoint: number, packet: Uint8Array, waits = true): void {
    let isSent = false;
    this.send(endpoint, packet, () => {
      isSent = true;
    });
    if (waits) this.#until(() => isSent, `OUT ${endpoint}`);
  }

  /** Returns the next packet of the device, or undefined if no packet arrives in time. */
  read(endpoint: number, milliseconds = 3000): Uint8Array | typeof STALL | undefined {
    let taken: Uint8Array | typeof STALL | undefined;
    const withdraw = this.request(endpoint, packet => {
      taken = packet;
    });
    this.pico.run(milliseconds, () => taken !== undefined);
    withdraw();
    return taken;
  }

  /**
   * Queues a packet. While the simulator runs, `accept` is called when the device has accepted the packet.
   * The returned function removes the packet from the queue, and returns whether it was still queued.
   */
  send(endpoint: number, packet: Uint8Array, accept: () => void): () => boolean {
    return queue(this.#out.get(endpoint)!, { packet, accept });
  }

  /**
   * Queues a request for a packet. The returned function removes the request from the queue, and returns
   * whether it was still queued.
   */
  request(endpoint: number, deliver: Deliver): () => boolean {
    return queue(this.#in.get(endpoint)!, deliver);
  }

  #until(holds: () => boolean, what: string): void {
    if (!this.pico.run(3000, holds))
      throw new Error(`USB: the wait for ${what} did not end, ${this.pico.where}; ${this.faults.join('; ')}`);
  }

  #fault(text: string): void {
    if (this.faults.length < 20) this.faults.push(text);
  }

  /** Calls `connected` when the device enables its pull-up, by which a host detects it. */
  #onPullUp(connected: () => void): void {
    const write = this.#controller.handleSieCtrlWrite.bind(this.#usb);
    this.#controller.handleSieCtrlWrite = value => {
      write(value);
      if (!(value & PULLUP_EN) || this.isConnected) return;
      this.isConnected = true;
      this.#setLine(J);
      connected();
    };
  }

  /** Adds features of the USB controller that the simulator lacks. */
  #supplement(): void {
    const usb = this.#usb;
    const [read, write] = [usb.readUint32.bind(usb), usb.writeUint32.bind(usb)];
    usb.readUint32 = offset => {
      if (offset === SOF_RD) this.#interrupt(DEV_SOF, false);
      return this.#registers.get(offset) ?? read(offset);
    };
    usb.writeUint32 = (offset, value) => {
      if (offset === SIE_STATUS && this.#controller.rawWriteValue & SUSPENDED) {
        this.#controller.sieStatus &= ~SUSPENDED;
        this.#interrupt(DEV_SUSPEND, false);
      }
      if (!this.#registers.has(offset)) return write(offset, value);
      this.#registers.set(offset, value);
      this.#noteIdle();
    };
  }

  #noteIdle(): void {
    const { pico } = this;
    const [muxing, direct, override] = [...this.#registers.values()] as [number, number, number];
    const isForced = (muxing & (TO_DIGITAL_PAD | TO_PHY)) === TO_DIGITAL_PAD;
    const isSeen = (direct & DP_PULLUP_EN) !== 0 && (override & DP_PULLUP_OVERRIDE) !== 0;
    const isHigh = (pico.chip.gpio[DP_PIN]!.ctrl & (31 | (3 << 16))) === DP_HIGH;
    if (isForced && !isSeen) this.#fault('the host sees no device any more');
    if (isForced && isSeen && isHigh) this.#idleSince ??= pico.milliseconds;
    else {
      if (pico.milliseconds - (this.#idleSince ?? Number.POSITIVE_INFINITY) >= IDLE_MS) this.#hears = true;
      this.#idleSince = undefined;
    }
  }

  #interrupt(bit: number, isRaised = true): void {
    this.#controller.intRaw = isRaised ? this.#controller.intRaw | bit : this.#controller.intRaw & ~bit;
    this.#controller.checkInterrupts();
  }

  #setLine(state: number): void {
    this.#controller.sieStatus = (this.#controller.sieStatus & ~LINE_STATE) | state;
  }

  #slot(): void {
    const isFrame = this.#slots++ % SLOTS_A_FRAME === 0;
    const listens = (this.#registers.get(MUXING)! & TO_PHY) !== 0 && this.#hears;
    if (this.#isAsleep || !listens) return;
    if (isFrame) {
      this.#frameBegan = this.pico.milliseconds;
      this.#controller.sofFrameNumber = (this.#controller.sofFrameNumber + 1) & 0x7ff;
      this.#interrupt(DEV_SOF);
      this.#serve(HID_ENDPOINT);
    }
    if (this.#control) this.#serveControl(this.#control);
    else this.#serve(2);
  }

  #serve(endpoint: number): void {
    const wanted = this.#in.get(endpoint)!;
    const packet = wanted.length > 0 ? this.#readPacket(endpoint) : undefined;
    if (packet !== undefined) wanted.shift()!(packet);
    const [next] = this.#out.get(endpoint)!;
    if (!next || this.#writePacket(endpoint, next.packet) !== true) return;
    this.#out.get(endpoint)!.shift();
    next.accept();
  }

  #serveControl(transfer: ControlTransfer): void {
    if (transfer.stage === 'setup') {
      this.#buffers.setup();
      this.#controller.epStallArm = 0;
      this.#usb.sendSetupPacket(transfer.setup);
      transfer.stage = transfer.isIn ? 'data' : 'status';
    } else if (transfer.stage === 'data') this.#readData(transfer);
    else this.#readStatus(transfer);
  }

  #readData(transfer: ControlTransfer): void {
    const packet = this.#readPacket(0);
    if (packet === undefined) return;
    if (packet === STALL) {
      this.#finish(transfer, STALL);
      return;
    }
    transfer.received.push(...packet);
    const wanted = transfer.setup[6]! | (transfer.setup[7]! << 8);
    if (transfer.received.length > wanted) this.#fault('EP0: more data than were asked for');
    if (packet.length < 64 || transfer.received.length >= wanted) transfer.stage = 'status';
  }

  #readStatus(transfer: ControlTransfer): void {
    if (transfer.isIn) {
      const taken = this.#writePacket(0, new Uint8Array());
      if (taken) this.#finish(transfer, taken === STALL ? STALL : Uint8Array.from(transfer.received));
      return;
    }
    const packet = this.#readPacket(0);
    if (packet === undefined) return;
    if (packet !== STALL && packet.length > 0) this.#fault('EP0: a status stage with data');
    this.#finish(transfer, packet === STALL ? STALL : new Uint8Array());
  }

  #finish(transfer: ControlTransfer, result: Uint8Array | typeof STALL): void {
    transfer.result = result;
    this.#control = undefined;
    const [type, request, value] = transfer.setup;
    if (result === STALL) return;
    if (type === 0 && request === 5) this.#address = value!;
    if (type === 0 && request === 9) this.#buffers.resetToggles();
    if (type === 2 && request === 1) this.#buffers.resetToggle(transfer.setup[4]!);
    if (type === 1 && request === 11) {
      const endpoint = transfer.setup[4]! + HID_ENDPOINT;
      for (const address of [endpoint, endpoint | 0x80]) this.#buffers.resetToggle(address);
    }
  }

  /** Reads a packet from the device. Returns STALL if it is halted, or undefined if it is not ready. */
  #readPacket(endpoint: number): Uint8Array | typeof STALL | undefined {
    return this.#transact(endpoint, 'in', () => this.#buffers.read(endpoint));
  }

  /**
   * Sends a packet. Returns true if the device accepted it, STALL if it is halted, or undefined if it is not
   * ready.
   */
  #writePacket(endpoint: number, packet: Uint8Array): true | typeof STALL | undefined {
    return this.#transact(endpoint, 'out', () => this.#buffers.write(endpoint, packet));
  }

  #transact<Result>(
    endpoint: number,
    direction: 'in' | 'out',
    act: () => Result,
  ): Result | typeof STALL | undefined {
    const address = this.#controller.addrEndp & 0x7f;
    if (address !== this.#address) {
      this.#fault(`the device has the address ${address}, not ${this.#address}`);
      return undefined;
    }
    const state = this.#buffers.state(endpoint, direction, this.#controller.epStallArm);
    if (state === 'ready') return act();
    if (state === 'stalled') return STALL;
    this.naks++;
    return undefined;
  }
}

/**
 * Appends an entry to a queue. The returned function removes the entry, and returns whether it was still
 * queued.
 */
function queue<Entry>(entries: Entry[], entry: Entry): () => boolean {
  entries.push(entry);
  return () => {
    const at = entries.indexOf(entry);
    if (at >= 0) entries.splice(at, 1);
    return at >= 0;
  };
}
