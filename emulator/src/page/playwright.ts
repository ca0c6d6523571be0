// Fixtures for Playwright: an emulator in this process, plugged into the pages of the test's browser context.

import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { Emulator } from '../harness/emulator.js';
import { followRunner } from '../running-test.js';
import { installHid, type PageHid } from './hid.js';

/** The used part of Playwright's Frame. */
interface CableFrame {
  evaluate(code: string): Promise<unknown>;
}

/** The used part of Playwright's Page. */
interface CablePage {
  frames(): CableFrame[];
}

/** The used part of Playwright's BrowserContext. */
export interface CableContext {
  /** The open pages. */
  pages(): CablePage[];
  /** Gives every page a function that calls back. */
  exposeBinding(name: string, callback: (source: unknown, report?: number[]) => boolean): Promise<unknown>;
  /** Runs a script in every page, before its own scripts. */
  addInitScript(code: string): Promise<unknown>;
}

/** The used part of Playwright's TestInfo. */
interface RunningTestInfo {
  title: string;
  file: string;
  timeout: number;
  status?: string | undefined;
}

const SCRIPT = `globalThis.zbcSignerPage = (${installHid})({
  isPlugged: () => zbcSignerReport(),
  send: report => zbcSignerReport([...report]),
})`;

/**
 * The cable between an emulator and the pages of a browser context, in which it is the only device of
 * `navigator.hid`. As with a real device, every page that has opened it reads all reports, and closing a page
 * does not end a review.
 */
export class HidCable {
  #isPlugged = true;

  private constructor(
    private readonly context: CableContext,
    readonly emulator: Emulator,
  ) {
    bindMembers(this);
  }

  /** Plugs the emulator into the pages that the context opens from now on. */
  static async connect(context: CableContext, emulator: Emulator): Promise<HidCable> {
    const cable = new HidCable(context, emulator);
    await context.exposeBinding('zbcSignerReport', (_source, report) => cable.#take(report));
    await context.addInitScript(SCRIPT);
    emulator.on('stop', () => void cable.#leave());
    return cable;
  }

  /** Unplugs the device. Replies that it sends during `meanwhile` are lost. */
  async unplug(meanwhile?: () => Promise<void>): Promise<void> {
    this.#isPlugged = false;
    await meanwhile?.();
    this.emulator.disconnectReports();
    await this.#leave();
  }

  #leave(): Promise<void> {
    this.#isPlugged = false;
    return this.#tell('unplug');
  }

  /** Plugs the device in again. */
  async plug(): Promise<void> {
    this.#isPlugged = true;
    await this.#tell('plug');
  }

  /** Returns whether the device is plugged in. */
  #take(report: number[] | undefined): boolean {
    if (!this.#isPlugged || report === undefined) return this.#isPlugged;
    this.emulator.report(Uint8Array.from(report), reply => {
      if (this.#isPlugged) void this.#tell('receive', [...reply]);
    });
    return true;
  }

  async #tell(name: keyof PageHid, argument: number[] = []): Promise<void> {
    const code = `globalThis.zbcSignerPage?.${name}(${JSON.stringify(argument)})`;
    const frames = this.context.pages().flatMap(page => page.frames());
    // A page that reloads now misses the event, as with a real device.
    await Promise.all(frames.map(frame => frame.evaluate(code).catch(() => undefined)));
  }
}

/** Values of the fixtures. */
export interface EmulatorFixtures {
  /** The cable to the pages of the test's context, in which the device is plugged in. */
  cable: HidCable;
  /**
   * The emulator at the other end of the cable, stopped at the end of the test. If a command is then still
   * pending, the test fails.
   */
  emulator: Emulator;
}

/**
 * Fixtures for Playwright's `test`.
 * @example const test = base.extend<EmulatorFixtures>(fixtures);
 */
export const fixtures = {
  /** Starts an emulator, plugs it in, and stops it. */
  async cable(
    { context }: { context: CableContext },
    use: (cable: HidCable) => Promise<void>,
    info: RunningTestInfo,
  ): Promise<void> {
    followRunner(() => ({
      currentTestName: info.title,
      testPath: info.file,
      limitMs: info.timeout,
      hasFailed: info.status === 'failed',
    }));
    const emulator = await Emulator.start({ device: null });
    await use(await HidCable.connect(context, emulator));
    await emulator.stop();
  },
  /** Takes the emulator of the cable. */
  async emulator({ cable }: { cable: HidCable }, use: (emulator: Emulator) => Promise<void>): Promise<void> {
    await use(cable.emulator);
  },
};
