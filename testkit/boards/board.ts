import { framed, ReplyReader } from '../reports.js';
import { provisionedFlash } from './image.js';
import { type Key, type PicoOptions, SimulatedPico } from './pico.js';
import { Reference } from './reference.js';
import { STALL, UsbHost } from './usb-host.js';

export const HID = 1;
export const VENDOR = 2;
const DRAWN_MS = 300;

const started = new Set<Board>();

/**
 * Nothing that the simulator, the host or the audit complained of on any board that was used since the last
 * call.
 */
export function expectNoFaults(): void {
  for (const { host, pico } of started)
    expect([...host.faults, ...pico.warnings, ...pico.auditFaults]).toEqual([]);
  started.clear();
}

/** A simulated Pico on a host, beside an emulator that is given the same commands and presses. */
export class Board {
  #channel = 0x1000;

  private constructor(
    readonly pico: SimulatedPico,
    readonly host: UsbHost,
    readonly reference: Reference,
  ) {
    started.add(this);
  }

  /** Boots and enumerates. */
  static start(flash = provisionedFlash(), reference = new Reference(), options: PicoOptions = {}): Board {
    return Board.on(new SimulatedPico(flash, options), reference);
  }

  static on(pico: SimulatedPico, reference = new Reference()): Board {
    const host = new UsbHost(pico);
    pico.boot();
    return new Board(pico, host.enumerate(), reference);
  }

  /** Sends a command to the board alone, and waits for its reply. */
  exchange(apdu: Uint8Array, endpoint = HID): Uint8Array {
    const channel = this.send(apdu, endpoint);
    return this.receive(channel, endpoint);
  }

  /** Sends a command and returns its channel. */
  send(apdu: Uint8Array, endpoint = HID): number {
    started.add(this);
    const channel = this.#channel++;
    for (const report of framed(channel, apdu)) this.host.write(endpoint, report);
    return channel;
  }

  /** The reply on a channel. */
  receive(channel: number, endpoint = HID): Uint8Array {
    const reader = new ReplyReader(channel);
    for (;;) {
      const report = this.host.read(endpoint);
      if (report === undefined || report === STALL) throw new Error(`no reply: ${report} ${this.pico.where}`);
      const reply = reader.take(report);
      if (reply) return reply;
    }
  }

  /**
   * Sends commands to both; every reply is the same. The channel of the one that the user decides, if there
   * is one.
   */
  sendAll(apdus: readonly Uint8Array[], endpoint = HID): number | undefined {
    for (const apdu of apdus) {
      const expected = this.reference.command(apdu);
      const channel = this.send(apdu, endpoint);
      if (!expected) {
        this.pico.run(DRAWN_MS, () => this.showsFrame);
        return channel;
      }
      expect(hex(this.receive(channel, endpoint))).toBe(hex(expected));
    }
    return undefined;
  }

  get showsFrame(): boolean {
    const frame = this.pico.display.frame();
    return frame !== undefined && Buffer.compare(frame, this.reference.frame) === 0;
  }

  /** Presses on both; the frames are the same afterwards. The reply of the emulator, if the press decided. */
  press(key: Key): Uint8Array | undefined {
    const reply = this.reference.press(key);
    this.pico.press(key);
    return reply;
  }

  expectFrame(): void {
    this.pico.run(DRAWN_MS, () => this.showsFrame && this.pico.isIdle);
    if (this.showsFrame) return;
    throw new Error(`the display does not show ${JSON.stringify(this.reference.texts)}; ${this.pico.where}`);
  }

  /**
   * Pages through a review to its last but one page, approves, and returns the reply; every page is compared.
   */
  approve(channel: number, endpoint = HID): Uint8Array {
    while (this.reference.texts[1] !== 'approve: press both') {
      this.expectFrame();
      this.press('right');
    }
    this.expectFrame();
    const expected = this.press('both');
    const reply = this.receive(channel, endpoint);
    expect(hex(reply)).toBe(hex(expected!));
    this.expectFrame();
    return reply;
  }
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
