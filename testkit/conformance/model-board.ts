import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import '#emulator/device/webassembly.js';
import type { Button } from '@zbc-signer/emulator';
import type { DeviceControls, Panel, SignerUnderTest } from '@zbc-signer/emulator/conformance';
import type { Transport } from '@zbc-signer/host';
import { Device } from '#emulator/device/device.js';
import { Platform } from '#emulator/device/platform.js';
import { parseSeed } from '#emulator/device/seed.js';
import type { ReportDevice } from '#host/device/transport/report-device.js';
import { ReportTransport } from '#host/device/transport/report-transport.js';
import { root } from '../repository/repository.js';
import { accounts } from '../repository/vectors.js';
import { type KeyFaults, ModelKeys } from './model-keys.js';

const BITS = { left: 1, right: 2, both: 3 } as const;
const BUTTONS = { 1: 'left', 2: 'right', 3: 'both' } as const;
const BOUNCES = 3;
const BOUNCE_MS = 2;
const SETTLED_MS = 30;
const compiled = await WebAssembly.compile(readFileSync(join(root, 'dist/firmware/zbc-signer.wasm')));

/** The possible faults of a board. Each function replaces a correct part of the board. */
export interface BoardParts {
  /** Returns the seed that the module receives. */
  seed?(seed: Uint8Array): Uint8Array | undefined;
  /** Returns the displayed pixels for a frame. `before` is what was displayed previously. */
  show?(frame: Uint8Array, before: Uint8Array): Uint8Array;
  /** Returns the presses that the module receives for one press of the user. */
  press?(button: Button): Button[];
  /** Returns the settings that are left after a power cut. */
  keep?(settings: Uint8Array | undefined): Uint8Array | undefined;
  /** Returns the settings that are stored when the module stores `settings`. */
  store?(settings: Uint8Array): Uint8Array | undefined;
  /** Returns the report that the module receives for a report of the host; undefined if it is lost. */
  take?(report: Uint8Array, isReviewing: boolean): Uint8Array | undefined;
  /** Returns the report that the host receives for a report of the module; undefined if it is lost. */
  give?(report: Uint8Array, isReviewing: boolean): Uint8Array | undefined;
  /** Returns the delay of each reply in milliseconds. */
  delayMs?(isReviewing: boolean): number;
  /**
   * Faults of a panel, which has the display and the keys. If undefined, the board has its own display and
   * keys.
   */
  panel?: PanelFaults;
  /** Whether a power cut restarts the module. */
  restarts?: boolean;
}

interface PanelFaults extends KeyFaults {
  /** Whether presses on a page count before the panel has reported that it shows the page. */
  ignoresAnswers?: boolean;
  /** Whether a message of the panel about the previous frame is accepted for the current frame. */
  takesAnyAnswer?: boolean;
}

class FaultyPlatform extends Platform {
  shown: Uint8Array = new Uint8Array(1024);
  frames = 0;

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
        this.frames++;
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

/** A board in which every part can be replaced by a faulty one. Hosts exchange reports with it. */
export class ModelBoard implements SignerUnderTest, DeviceControls {
  readonly name = 'model';
  readonly controls = this;
  readonly #hosts = new Set<(report: Uint8Array) => void>();
  #platform: FaultyPlatform;
  #device: Device;
  #isReviewing = false;
  readonly panel?: Panel;
  /** Whether the panel immediately reports that it shows a frame. */
  answers = true;
  /** Whether the panel has reported that it shows the last frame. */
  #isShown = true;
  readonly #keys: ModelKeys;
  #down = 0;

  constructor(private readonly parts: BoardParts = {}) {
    if (parts.panel !== undefined) this.panel = this;
    this.#keys = new ModelKeys(parts.panel ?? {});
    this.#platform = this.#powerUp(undefined);
    this.#device = new Device(compiled, this.#platform);
  }

  connect(): Transport {
    return new ReportTransport(async () => this.#open());
  }

  async awaitFrame(press: Button | undefined): Promise<Uint8Array> {
    if (press) this.#press(press);
    await new Promise(resolve => setImmediate(resolve));
    return this.#platform.shown;
  }

  async cutPower(): Promise<boolean> {
    if (this.parts.restarts === false) return true;
    const { settings } = this.#platform;
    this.#platform = this.#powerUp(this.parts.keep ? this.parts.keep(settings) : settings);
    this.#device = new Device(compiled, this.#platform);
    this.#isReviewing = false;
    return true;
  }

  answer(frame: 'last' | 'before'): void {
    if (this.#isShown || (frame === 'before' && !this.parts.panel?.takesAnyAnswer)) return;
    this.#isShown = true;
    this.#keys.forget();
  }

  async hold(keys: Button | undefined, milliseconds: number): Promise<void> {
    this.#pass(SETTLED_MS);
    this.#down = keys ? BITS[keys] : 0;
    this.#pass(Math.max(milliseconds, SETTLED_MS));
    await new Promise(resolve => setImmediate(resolve));
  }

  async bounce(keys: Button | undefined): Promise<boolean> {
    this.#pass(SETTLED_MS);
    const [from, to] = [this.#down, keys ? BITS[keys] : 0];
    for (let turn = 0; turn < 2 * BOUNCES; turn++) {
      this.#down = turn % 2 ? from : to;
      this.#pass(BOUNCE_MS);
    }
    this.#down = to;
    await this.hold(keys, SETTLED_MS);
    return true;
  }

  #pass(milliseconds: number): void {
    for (let sample = 0; sample < milliseconds; sample++) {
      const press = this.#keys.sample(this.#down);
      if (press) this.#press(BUTTONS[press as keyof typeof BUTTONS]);
    }
  }

  #show(): void {
    this.#isShown = this.answers;
    this.#keys.forget();
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
    const { frames } = this.#platform;
    if (this.#device.report(taken, 0)) this.#answer(wasReviewing);
    else if (this.#platform.screen !== screen) this.#isReviewing = !this.#isReviewing;
    if (this.#platform.frames > frames) this.#show();
  }

  #press(button: Button): void {
    if (!this.#isShown && !this.parts.panel?.ignoresAnswers) {
      this.#show();
      return;
    }
    const { frames } = this.#platform;
    this.#pressShown(button);
    if (this.#platform.frames > frames) this.#show();
  }

  #pressShown(button: Button): void {
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
