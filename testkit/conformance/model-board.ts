import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import '#emulator/device/webassembly.js';
import type { Button } from '@zbc-signer/emulator';
import type { Hands, SignerUnderTest, Step, WrongScreen } from '@zbc-signer/emulator/rig';
import type { Transport } from '@zbc-signer/host';
import { Device } from '#emulator/device/device.js';
import { Platform } from '#emulator/device/platform.js';
import { parseSeed } from '#emulator/device/seed.js';
import type { ReportDevice } from '#host/transport/report-device.js';
import { ReportTransport } from '#host/transport/report-transport.js';
import { root } from '../repository.js';
import { accounts } from '../vectors.js';

const BITS = { left: 1, right: 2, both: 3 } as const;
const compiled = await WebAssembly.compile(readFileSync(join(root, 'dist/firmware/zbc-signer.wasm')));

/** What can be wrong with a board: each part takes the place of the right one. */
export interface BoardParts {
  /** What the module gets as its seed. */
  seed?(seed: Uint8Array): Uint8Array | undefined;
  /** What the display shows of a frame; `before` is what it showed. */
  show?(frame: Uint8Array, before: Uint8Array): Uint8Array;
  /** The presses that the module gets of one. */
  press?(button: Button): Button[];
  /** The settings that a cut of the power leaves. */
  keep?(settings: Uint8Array | undefined): Uint8Array | undefined;
  /** The settings that are stored. */
  store?(settings: Uint8Array): Uint8Array | undefined;
  /** The report that the module gets of one of the host; undefined loses it. */
  take?(report: Uint8Array, isReviewing: boolean): Uint8Array | undefined;
  /** The report that the host gets of one of the module; undefined loses it. */
  give?(report: Uint8Array, isReviewing: boolean): Uint8Array | undefined;
  /** How long replies wait. */
  delayMs?(isReviewing: boolean): number;
  /** Whether its display can take no frame, and whether presses then decide nothing. */
  panel?: 'heeded' | 'ignored';
  /** Whether a cut of the power restarts the module. */
  restarts?: boolean;
}

class FaultyPlatform extends Platform {
  shown: Uint8Array = new Uint8Array(1024);

  constructor(
    seed: Uint8Array | undefined,
    settings: Uint8Array | undefined,
    private readonly parts: BoardParts,
  ) {
    super(seed, settings);
  }

  override imports(memory: () => WebAssembly.Memory): Record<string, unknown> {
    const imports = super.imports(memory);
    const { parts } = this;
    const show = imports.display as (address: number) => void;
    const store = imports.settings_store as (from: number, length: number) => void;
    return {
      ...imports,
      display: (address: number) => {
        show(address);
        const { frame } = this.screen;
        this.shown = parts.show?.(frame, this.shown) ?? frame;
      },
      settings_store: (from: number, length: number) => {
        const before = this.settings;
        store(from, length);
        this.settings = parts.store ? (parts.store(this.settings!) ?? before) : this.settings;
      },
    };
  }
}

/** A board whose every part can be exchanged for a faulty one; hosts reach it by reports. */
export class ModelBoard implements SignerUnderTest, Hands {
  readonly name = 'model';
  readonly hands = this;
  readonly #hosts = new Set<(report: Uint8Array) => void>();
  #platform: FaultyPlatform;
  #device: Device;
  #isReviewing = false;
  /** The last frame was taken by no display. */
  #isUnseen = false;
  readonly pressUnseen?: (buttons: readonly Button[]) => Promise<void>;

  constructor(private readonly parts: BoardParts = {}) {
    if (parts.panel !== undefined) this.pressUnseen = async buttons => this.#pressUnseen(buttons);
    this.#platform = this.#powerUp(undefined);
    this.#device = new Device(compiled, this.#platform);
  }

  connect(): Transport {
    return new ReportTransport(async () => this.#open());
  }

  async follow(steps: readonly Step[]): Promise<WrongScreen | undefined> {
    for (const { press, screen } of steps) {
      if (press && !this.#isUnseen) this.#press(press);
      this.#isUnseen = false;
      await new Promise(resolve => setImmediate(resolve));
      const { shown } = this.#platform;
      if (Buffer.compare(shown, screen.frame) !== 0) {
        return { complaint: 'the display shows something else', expected: screen.frame, shown };
      }
    }
    return undefined;
  }

  async cut(): Promise<boolean> {
    if (this.parts.restarts === false) return true;
    const { settings } = this.#platform;
    this.#platform = this.#powerUp(this.parts.keep ? this.parts.keep(settings) : settings);
    this.#device = new Device(compiled, this.#platform);
    this.#isReviewing = false;
    return true;
  }

  #powerUp(settings: Uint8Array | undefined): FaultyPlatform {
    const seed = parseSeed(accounts.mnemonic);
    return new FaultyPlatform(this.parts.seed ? this.parts.seed(seed) : seed, settings, this.parts);
  }

  #open(): ReportDevice {
    let deliver: ((report: Uint8Array) => void) | undefined;
    return {
      write: async reports => {
        for (const report of reports) this.#take(report);
      },
      listen: onReport => {
        deliver = onReport;
        this.#hosts.add(onReport);
      },
      close: async () => {
        if (deliver) this.#hosts.delete(deliver);
      },
    };
  }

  #take(report: Uint8Array): void {
    const taken = this.parts.take ? this.parts.take(report.slice(), this.#isReviewing) : report;
    if (!taken) return;
    const { screen } = this.#platform;
    const wasReviewing = this.#isReviewing;
    if (this.#device.report(taken, 0)) this.#answer(wasReviewing);
    else if (this.#platform.screen !== screen) this.#isReviewing = !this.#isReviewing;
  }

  #pressUnseen(buttons: readonly Button[]): void {
    for (const button of buttons) {
      if (!this.#isUnseen || this.parts.panel === 'ignored') this.#press(button);
      this.#isUnseen = true;
    }
    if (this.parts.panel === 'ignored') this.#isUnseen = false;
  }

  #press(button: Button): void {
    for (const each of this.parts.press?.(button) ?? [button]) {
      if (!this.#device.button(BITS[each])) continue;
      this.#isReviewing = false;
      this.#answer(false);
    }
  }

  #answer(isReviewing: boolean): void {
    const reports: Uint8Array[] = [];
    for (let next = this.#device.replyReport(); next; next = this.#device.replyReport()) reports.push(next);
    const { give } = this.parts;
    const given = reports.flatMap(report => {
      const bytes = give ? give(report, isReviewing) : report;
      return bytes ? [bytes] : [];
    });
    const send = () => {
      for (const report of given) for (const host of this.#hosts) host(report);
    };
    const delay = this.parts.delayMs?.(isReviewing) ?? 0;
    if (delay === 0) setImmediate(send);
    else setTimeout(send, delay);
  }
}
