import type { RP2040 } from 'rp2040js';

type Direction = 'in' | 'out';

const AVAILABLE = 1 << 10;
const STALL_BIT = 1 << 11;
const DATA1 = 1 << 13;
const FULL = 1 << 15;
const LENGTH = 0x3ff;
const FIRST_CONTROL = 0x80;
const LAST_CONTROL = 0x94;
/**
 * Number of cycles of clk_sys after which AVAILABLE may be set in a buffer control register, once its other
 * bits are set (RP2040 datasheet 4.1.2.5.1).
 */
const SYNCHRONISED = 12;
const EP0_BUFFER = 0x100;

const BULK_ENDPOINT = 2;

function isLate(sinceFrame: number): boolean {
  return sinceFrame >= 0.8 && sinceFrame < 1;
}

interface Internals {
  DPRAMUpdated(offset: number, value: number): void;
  indicateBufferReady(endpoint: number, out: boolean): void;
}

/**
 * The buffers in the memory of the USB controller. Returns the packets that the device has armed, and checks
 * the data toggles that a host expects. Reports violations of the rules as faults.
 */
export class UsbBuffers {
  readonly #controls = new Map<number, { value: number; cycles: number }>();
  readonly #toggles = new Map<string, number>();
  readonly #view: DataView;
  readonly #internals: Internals;

  constructor(
    private readonly chip: RP2040,
    /** Returns the milliseconds since the start of the USB frame. */
    private readonly sinceFrame: () => number,
    private readonly fault: (text: string) => void,
  ) {
    this.#view = chip.usbDPRAMView;
    this.#internals = chip.usbCtrl as unknown as Internals;
    this.#internals.DPRAMUpdated = (offset, value) => {
      if (offset >= FIRST_CONTROL && offset <= LAST_CONTROL) this.#written(offset, value);
    };
  }

  /** Forgets all data toggles, as a bus reset does. */
  reset(): void {
    this.#toggles.clear();
  }

  /** Handles a SETUP: drops the armed buffers of endpoint 0. The next packets of endpoint 0 must be DATA1. */
  setup(): void {
    for (const direction of ['in', 'out'] as const) {
      this.#toggles.set(`0${direction}`, 1);
      const offset = this.#offset(0, direction);
      this.#store(offset, this.#view.getUint32(offset, true) & ~(AVAILABLE | STALL_BIT));
    }
  }

  /** Resets all data toggles except those of endpoint 0. */
  resetToggles(): void {
    for (const key of [...this.#toggles.keys()]) if (!key.startsWith('0')) this.#toggles.delete(key);
  }

  resetToggle(address: number): void {
    this.#toggles.delete(`${address & 15}${address & 0x80 ? 'in' : 'out'}`);
  }

  state(endpoint: number, direction: Direction, stallArm: number): 'ready' | 'stalled' | 'not ready' {
    const control = this.#view.getUint32(this.#offset(endpoint, direction), true);
    if (endpoint > 0 && this.#endpointControl(endpoint, direction) >>> 31 === 0) return 'not ready';
    const isArmed = endpoint > 0 || stallArm & (direction === 'in' ? 1 : 2);
    if (control & STALL_BIT && isArmed) return 'stalled';
    return control & AVAILABLE && this.#hasToggle(endpoint, direction, control) ? 'ready' : 'not ready';
  }

  /** Returns the packet that the device has armed. */
  read(endpoint: number): Uint8Array {
    const offset = this.#offset(endpoint, 'in');
    const control = this.#view.getUint32(offset, true);
    const length = control & LENGTH;
    if (!(control & FULL)) this.fault(`EP${endpoint} in: armed without FULL`);
    if (length > 64) this.fault(`EP${endpoint} in: ${length} bytes`);
    const at = this.#buffer(endpoint, 'in');
    const packet = this.chip.usbDPRAM.slice(at, at + length);
    this.#complete(endpoint, 'in', control & ~(AVAILABLE | FULL));
    return packet;
  }

  write(endpoint: number, packet: Uint8Array): true {
    const control = this.#view.getUint32(this.#offset(endpoint, 'out'), true);
    if (packet.length > (control & LENGTH))
      this.fault(`EP${endpoint} out: armed for ${control & LENGTH} bytes`);
    this.chip.usbDPRAM.set(packet, this.#buffer(endpoint, 'out'));
    this.#complete(endpoint, 'out', (control & ~(AVAILABLE | LENGTH)) | FULL | packet.length);
    return true;
  }

  #complete(endpoint: number, direction: Direction, control: number): void {
    const key = `${endpoint}${direction}`;
    this.#toggles.set(key, (this.#toggles.get(key) ?? 0) ^ 1);
    this.#store(this.#offset(endpoint, direction), control);
    this.#internals.indicateBufferReady(endpoint, direction === 'out');
  }

  #hasToggle(endpoint: number, direction: Direction, control: number): boolean {
    const wanted = this.#toggles.get(`${endpoint}${direction}`) ?? 0;
    const armed = control & DATA1 ? 1 : 0;
    if (armed !== wanted) this.fault(`EP${endpoint} ${direction}: DATA${armed} is armed, not DATA${wanted}`);
    return armed === wanted;
  }

  #written(offset: number, value: number): void {
    const before = this.#controls.get(offset) ?? { value: 0, cycles: 0 };
    const { cycles } = this.chip.core;
    const name = `buffer control ${offset.toString(16)}`;
    if (value & AVAILABLE) {
      if (before.value !== (value & ~AVAILABLE)) this.fault(`${name}: AVAILABLE comes with the rest`);
      else if (cycles - before.cycles < SYNCHRONISED)
        this.fault(`${name}: AVAILABLE comes after too few cycles`);
      else if (offset === this.#offset(BULK_ENDPOINT, 'in') && isLate(this.sinceFrame()))
        this.fault(`${name}: armed in the last 200 us of a frame (RP2040-E15)`);
    } else if (before.value & AVAILABLE && value !== 0 && !(value & STALL_BIT))
      this.fault(`${name}: written while the controller owns the buffer`);
    this.#controls.set(offset, { value, cycles });
  }

  #store(offset: number, value: number): void {
    this.#view.setUint32(offset, value, true);
    this.#controls.set(offset, { value, cycles: 0 });
  }

  #offset(endpoint: number, direction: Direction): number {
    return FIRST_CONTROL + 8 * endpoint + (direction === 'out' ? 4 : 0);
  }

  #endpointControl(endpoint: number, direction: Direction): number {
    return this.#view.getUint32(8 * endpoint + (direction === 'out' ? 4 : 0), true);
  }

  #buffer(endpoint: number, direction: Direction): number {
    if (endpoint === 0) return EP0_BUFFER;
    const control = this.#endpointControl(endpoint, direction);
    const [type, wanted] = [(control >> 26) & 3, endpoint === 1 ? 3 : 2];
    if (type !== wanted) this.fault(`EP${endpoint} ${direction}: its type is ${type}, not ${wanted}`);
    return control & 0xffc0;
  }
}
