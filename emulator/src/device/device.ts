import { MAX_APDU, REPORT_LENGTH } from '@zbc-signer/protocol/limits';
import { INTERNAL } from '@zbc-signer/protocol/status-words';
import { FirmwareCrashError } from '../errors.js';
import type { Platform } from './platform.js';
import { instantiateModule } from './webassembly.js';

interface FirmwareExports {
  readonly memory: WebAssembly.Memory;
  allow_quit(): void;
  resume(): void;
  boot(): void;
  buffer(): number;
  command(length: number): number;
  button(buttons: number): number;
  cancel(): void;
  report_buffer(): number;
  report(link: number): number;
  reply_report(): number;
}

/**
 * One instance of the firmware on its platform. Every call returns at once; `undefined` means that there is
 * no reply, for instance because the user must decide first. If the firmware traps, its memory is wiped, the
 * trap is recorded in `crashes`, the reply is 6F00, and the firmware restarts (docs/APDU.md#platform-rules).
 * If the restart traps too, the device has no firmware, and every command is answered 6F00.
 */
export class Device {
  readonly crashes: FirmwareCrashError[] = [];
  #app: FirmwareExports | undefined;

  /** Throws FirmwareCrashError if the firmware cannot be started. */
  constructor(
    private readonly module: WebAssembly.Module,
    private readonly platform: Platform,
  ) {
    this.#start();
    if (!this.#app) throw this.crashes[0]!;
  }

  command(apdu: Uint8Array): Uint8Array | undefined {
    return this.#call(app => {
      // Overlong commands are refused by length; the buffer has no room for the rest.
      const head = apdu.subarray(0, MAX_APDU);
      memoryAt(app, app.buffer(), head.length).set(head);
      return app.command(apdu.length);
    });
  }

  /** `buttons` is 1 for left, 2 for right, 3 for both. */
  button(buttons: number): Uint8Array | undefined {
    const { keystore } = this.platform;
    if (keystore?.isInFront) return this.#tell(() => keystore.press(buttons));
    const reply = this.#call(app => app.button(buttons));
    if (this.platform.takeQuit()) this.#tell(() => keystore?.openMenu());
    return reply;
  }

  /** Reports that no button was pressed for this long: after half an hour, a keystore forgets its seed. */
  idle(seconds: number): void {
    this.#tell(() => this.platform.keystore?.idle(seconds));
  }

  /**
   * On a board with a keystore, gives display and buttons to the keystore if it wants them, otherwise to the
   * signer. The caller ensures that no command waits for the user.
   */
  settleFront(): void {
    const { keystore } = this.platform;
    if (!keystore || keystore.isInFront === keystore.wantsFront) return;
    keystore.isInFront = keystore.wantsFront;
    this.#tell(app => app.resume());
    if (keystore.isInFront) keystore.showAgain();
  }

  /** Whether the firmware accepts reports. Version 1.0.0 accepts only commands. */
  get takesReports(): boolean {
    return this.#app !== undefined && 'report' in this.#app;
  }

  /** Gives the firmware a report of 64 bytes from a link. Returns whether `replyReport` can read a reply. */
  report(report: Uint8Array, link: number): boolean {
    let isAnswered = false;
    this.#call(app => {
      memoryAt(app, app.report_buffer(), REPORT_LENGTH).set(report);
      isAnswered = app.report(link) !== 0;
      return 0;
    });
    return isAnswered;
  }

  /** Returns the next report of a reply, or undefined after the last report. */
  replyReport(): Uint8Array | undefined {
    let report: Uint8Array | undefined;
    this.#call(app => {
      if (app.reply_report() !== 0) report = memoryAt(app, app.report_buffer(), REPORT_LENGTH).slice();
      return 0;
    });
    return report;
  }

  cancel(): void {
    this.#tell(app => app.cancel());
  }

  /** Restarts the firmware as after a power cut: everything that is not stored is lost. */
  restart(): void {
    this.stop();
    this.platform.dropUnfinished();
    this.#start();
  }

  /** Wipes the firmware's memory; later commands are answered 6F00. */
  stop(): void {
    this.platform.keystore?.stop();
    if (this.#app) new Uint8Array(this.#app.memory.buffer).fill(0);
    this.#app = undefined;
  }

  /** Calls a function of the firmware that has no reply. */
  #tell(run: (app: FirmwareExports) => void): undefined {
    this.#call(app => {
      run(app);
      return 0;
    });
  }

  #call(run: (app: FirmwareExports) => number): Uint8Array | undefined {
    const app = this.#app;
    if (!app) return statusReply(INTERNAL);
    try {
      return readReply(app, run(app));
    } catch (cause) {
      this.#crash(cause);
      this.#start();
      return statusReply(INTERNAL);
    }
  }

  #start(): void {
    try {
      const { keystore } = this.platform;
      keystore?.start();
      this.#app = instantiate(this.module, this.platform);
      if (keystore) this.#app.allow_quit();
      this.#app.boot();
    } catch (cause) {
      this.#crash(cause);
    }
  }

  #crash(cause: unknown): void {
    this.stop();
    this.platform.dropUnfinished();
    this.crashes.push(new FirmwareCrashError(cause));
  }
}

export function statusReply(statusWord: number): Uint8Array {
  return Uint8Array.of(statusWord >> 8, statusWord & 0xff);
}

function instantiate(module: WebAssembly.Module, platform: Platform): FirmwareExports {
  const hal = platform.imports(() => app.memory);
  const app = instantiateModule(module, { hal }) as unknown as FirmwareExports;
  return app;
}

function readReply(app: FirmwareExports, length: number): Uint8Array | undefined {
  if (length === 0) return undefined;
  if (length < 2 || length > MAX_APDU)
    throw new RangeError(`the firmware returned a reply of ${length} bytes, expected 2 to ${MAX_APDU}`);
  return memoryAt(app, app.buffer(), length).slice();
}

function memoryAt(app: FirmwareExports, address: number, length: number): Uint8Array {
  return new Uint8Array(app.memory.buffer, address >>> 0, length);
}
