import { createConnection, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Transport } from '@zbc-signer/host';
import { encodeUartPacket, UartPacketReader } from '@zbc-signer/host/node';
import { type ReportDevice, type ReportTimes, ReportTransport } from '@zbc-signer/host/reports';
import { FRAME_LENGTH, REPORT_LENGTH } from '@zbc-signer/protocol/limits';
import { GET_APP_VERSION } from '../commands.js';
import { BUTTON_BITS, type Button } from '../device/buttons.js';
import { EmulatorError } from '../errors.js';
import type { DeviceControls, Panel, SignerUnderTest } from './signer-under-test.js';

const REPORT = 'R';
const TAKEN = 'A';
const FRAME = 'F';
const SHOWN = 'S';
const KEYS = 'K';
/**
 * Number of questions that the signer must answer while a key is held. A board samples its keys every
 * millisecond, and needs eight equal samples. A simulator on a busy machine may stall and count several ticks
 * as one, but each answer belongs to another tick.
 */
const HELD_TURNS = 15;
const HELD_MS = 2;
/** How often and how long a contact bounces; no board may accept such a press. */
const BOUNCES = 3;
const BOUNCE_MS = 2;
const MAX_BOUNCE_MS = 6;
/** Time for which a key is held while the signer answers no questions. It suffices on a busy machine too. */
const UNANSWERED_MS = 100;
/** Longer than a signer waits for its panel, which is half a second. */
const FIRST_FRAME_MS = 700;
const FIRST_FRAME_TRIES = 5;
const PATIENCE_MS = 10_000;
/** Time in which the signer must draw the next frame after it drew another frame than expected. */
const QUIET_MS = 2000;
/** The limits for a signer that has failed a check. */
const FAULTY_MS = 1000;
const TIMES: ReportTimes = { probeMs: 2000, lostMs: PATIENCE_MS };
/** The bytes of a question after its channel: a report that asks for the version (docs/APDU.md#hid). */
const QUESTION = [5, 0, 0, 0, GET_APP_VERSION.length, ...GET_APP_VERSION];
/** XOR with this turns a channel of the host into one that another program might use (docs/APDU.md#hid). */
const OTHER_SET = 0x8000;

/**
 * A signer on a UART over TCP, such as that of QEMU or ser2net. This program is the panel, with display and
 * keys (docs/APDU.md#uart).
 */
export class SerialSigner implements SignerUnderTest, DeviceControls, Panel {
  readonly controls = this;
  readonly panel = this;
  answers = true;
  readonly #hosts = new Set<(report: Uint8Array) => void>();
  readonly #reader = new UartPacketReader();
  /** Limit of a wait for a frame. */
  #frameMs = PATIENCE_MS;
  #frame: Uint8Array = new Uint8Array(FRAME_LENGTH);
  #frames = 0;
  #frameNumber = 0;
  /** Number of frames received before the last command of a host, or before the last change of the keys. */
  #framesBefore = 0;
  #keys = 0;
  #mayWrite = false;
  #written = Promise.resolve();
  /** Channel of the host's last report. */
  #hostChannel = 0;
  /** Channel of the question that the signer has not answered yet. */
  #asked: number | undefined;
  /** Conditions that are checked again after each packet. */
  readonly #waiting = new Set<() => void>();

  private constructor(
    readonly name: string,
    private readonly socket: Socket,
    private readonly restart: (() => Promise<void>) | undefined,
  ) {
    socket.on('data', chunk => {
      for (const { type, body } of this.#reader.take(chunk)) this.#take(type, body);
    });
    this.#hosts.add(report => {
      if (channelOf(report) === this.#asked) this.#asked = undefined;
    });
  }

  /** `url` is `uart://host:port`; `restart` cuts the power and restores it. Rejects if the port is closed. */
  static async open(url: string, restart?: () => Promise<void>): Promise<SerialSigner> {
    const { hostname, port } = new URL(url);
    const socket = createConnection(Number(port), hostname.replace(/^\[|\]$/g, ''));
    socket.setNoDelay(true);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    socket.on('error', () => socket.destroy());
    const signer = new SerialSigner(url, socket, restart);
    await signer.#begin(0).catch(error => {
      socket.destroy();
      throw error;
    });
    return signer;
  }

  connect(): Transport {
    return new ReportTransport(async () => this.#open(), TIMES);
  }

  async awaitFrame(press: Button | undefined, isMeant: (frame: Uint8Array) => boolean): Promise<Uint8Array> {
    if (press !== undefined) await this.#press(press);
    await this.#awaitFrame(isMeant);
    return this.#frame;
  }

  hurry(): void {
    this.#frameMs = FAULTY_MS;
  }

  async cutPower(): Promise<boolean> {
    if (!this.restart) return false;
    const mayWrite = this.#mayWrite;
    this.#mayWrite = false;
    const before = this.#frames;
    try {
      await this.restart();
    } catch (error) {
      this.#mayWrite ||= mayWrite;
      throw error;
    }
    await this.#begin(before);
    return true;
  }

  answer(frame: 'last' | 'before'): void {
    const number = (this.#frameNumber - (frame === 'last' ? 0 : 1)) & 0xff;
    this.socket.write(encodeUartPacket(SHOWN, Uint8Array.of(number)));
  }

  /**
   * Lets time pass while keys are held. Time is measured by the answers of the signer. A signer that waits
   * for its panel does not answer, and then time is measured by the clock.
   */
  async hold(keys: Button | undefined, milliseconds: number): Promise<void> {
    if (this.answers) await this.#passTime(1);
    this.#setKeys(bitsOf(keys));
    if (this.answers) await this.#passTime(Math.ceil(milliseconds / HELD_MS));
    else await pause(Math.max(milliseconds, UNANSWERED_MS));
  }

  async bounce(keys: Button | undefined): Promise<boolean> {
    await this.#passTime(1);
    const [from, to] = [this.#keys, bitsOf(keys)];
    let longest = 0;
    for (let turn = 0; turn < 2 * BOUNCES; turn++) {
      const start = performance.now();
      this.#setKeys(turn % 2 ? from : to);
      await pause(BOUNCE_MS);
      longest = Math.max(longest, performance.now() - start);
    }
    this.#setKeys(to);
    await this.#passTime(HELD_TURNS);
    return longest <= MAX_BOUNCE_MS;
  }

  close(): void {
    this.socket.destroy();
  }

  /**
   * Starts as host and panel. After the packet `C`, the signer accepts reports. If no frame arrives, presses
   * a button, because the signer then draws again the frame that no panel has acknowledged. `before` is the
   * number of frames that were received before the start of the signer.
   */
  async #begin(before: number): Promise<void> {
    this.socket.write(encodeUartPacket('C'));
    for (let turn = 0; turn < FIRST_FRAME_TRIES; turn++) {
      if (await this.#until(() => this.#frames > before, FIRST_FRAME_MS)) return;
      await this.#press('left');
    }
  }

  #open(): ReportDevice {
    let host: ((report: Uint8Array) => void) | undefined;
    return {
      write: reports => {
        this.#hostChannel = reports.map(channelOf).at(-1) ?? this.#hostChannel;
        this.#framesBefore = this.#frames;
        return this.#queue(reports);
      },
      listen: onReport => {
        host = onReport;
        this.#hosts.add(onReport);
      },
      close: async () => {
        if (host) this.#hosts.delete(host);
      },
    };
  }

  #queue(reports: readonly Uint8Array[]): Promise<void> {
    this.#written = this.#written.then(() => this.#write(reports));
    return this.#written;
  }

  async #write(reports: readonly Uint8Array[]): Promise<void> {
    for (const report of reports) {
      await this.#until(() => this.#mayWrite, PATIENCE_MS);
      this.#mayWrite = false;
      this.socket.write(encodeUartPacket(REPORT, report));
    }
  }

  async #press(button: Button): Promise<void> {
    // A press does not count if it begins before the signer knows that its frame is shown.
    await this.#passTime(1);
    this.#setKeys(BUTTON_BITS[button]);
    await this.#passTime(HELD_TURNS);
    const before = this.#frames;
    this.#setKeys(0);
    // If the signer draws a frame, it has accepted the press.
    await this.#passTime(HELD_TURNS, () => this.#frames > before);
  }

  #setKeys(keys: number): void {
    this.#keys = keys;
    this.#framesBefore = this.#frames;
    this.socket.write(encodeUartPacket(KEYS, Uint8Array.of(keys)));
  }

  /**
   * Waits until the signer draws the intended frame, at most as long as deriving a key and signing can take.
   */
  async #awaitFrame(isMeant: (frame: Uint8Array) => boolean): Promise<void> {
    const isShown = () => isMeant(this.#frame);
    const end = performance.now() + this.#frameMs;
    while (performance.now() < end) {
      const before = this.#frames;
      if (await this.#until(isShown, Math.min(QUIET_MS, this.#frameMs))) return;
      if (this.#frames === before && before > this.#framesBefore) return;
    }
  }

  async #passTime(turns: number, isOver = () => false): Promise<void> {
    for (let turn = 0; turn < turns && !isOver(); turn++) {
      const start = performance.now();
      await this.#ask();
      const rest = start + HELD_MS - performance.now();
      if (rest > 0) await pause(rest);
    }
  }

  /** Asks a question that affects neither an open review nor the menu. */
  async #ask(): Promise<void> {
    const channel = this.#hostChannel ^ OTHER_SET;
    const report = new Uint8Array(REPORT_LENGTH);
    report.set([channel >> 8, channel & 0xff, ...QUESTION]);
    this.#asked = channel;
    void this.#queue([report]);
    if (!(await this.#until(() => this.#asked === undefined, PATIENCE_MS))) throw mute();
  }

  #take(type: string, body: Uint8Array): void {
    if (type === TAKEN) this.#mayWrite = true;
    else if (type === REPORT && body.length === REPORT_LENGTH) for (const host of this.#hosts) host(body);
    else if (type === FRAME && body.length === FRAME_LENGTH + 1) {
      this.#frame = body.subarray(0, FRAME_LENGTH);
      this.#frameNumber = body[FRAME_LENGTH]!;
      this.#frames++;
      if (this.answers) this.answer('last');
    }
    for (const look of this.#waiting) look();
  }

  /** Whether a condition holds now or after a packet within a time limit. */
  #until(holds: () => boolean, limitMs: number): Promise<boolean> {
    if (holds()) return Promise.resolve(true);
    return new Promise(resolve => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(holds());
      };
      const look = () => {
        if (holds()) end();
      };
      // Packets that have arrived in time are still read before the immediate runs.
      const timer = setTimeout(() => setImmediate(end), limitMs);
      this.#waiting.add(look);
    });
  }
}

function bitsOf(button: Button | undefined): number {
  return button === undefined ? 0 : BUTTON_BITS[button];
}

function channelOf(report: Uint8Array): number {
  return (report[0]! << 8) | report[1]!;
}

function mute(): EmulatorError {
  return new EmulatorError('DEVICE_UNSUITABLE', `the signer did not answer for ${PATIENCE_MS / 1000} s`);
}
