import { TEST_MNEMONIC, ZbcSignerError } from '@zbc-signer/chain';
import { exportGlobals } from '../device/exported-globals.js';
import { readFirmware } from '../device/firmware.js';
import { parseSeed } from '../device/seed.js';
import { Emulator } from '../harness/emulator.js';
import type { EmulatorState } from '../harness/emulator-options.js';
import { checkTrace, type Trace } from '../trace/trace.js';
import { expectStart, expectStep, seedOf, settingsOf } from './replay.js';
import { pause, StepPlayer } from './step-player.js';
import '../device/webassembly.js';

/** Maximum number of stored states. Each has 64 KiB, so they take 80 MB. */
const MAX_STATES = 1250;
const LEAST_INTERVAL = 8;

/** Options of a replay. */
export interface TraceOptions {
  /** A seed, as for an emulator. Default: the seed of the trace, if it is known. */
  seed?: string | null | undefined;
  /** The bytes of a firmware that replaces the shipped one. */
  firmware?: Uint8Array | undefined;
  /** Aborts a long replay with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A trace whose state after any step can be restored on a live device. */
export class TracePlayer {
  /** Stored states, by the number of steps before them. */
  readonly #states = new Map<number, EmulatorState>();
  readonly #interval: number;
  readonly #player: StepPlayer;
  #played = 0;

  private constructor(
    readonly trace: Trace,
    private readonly module: WebAssembly.Module,
    private readonly seed: string | null,
    private readonly emulator: Emulator,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.#interval = Math.max(LEAST_INTERVAL, Math.ceil(trace.steps.length / MAX_STATES));
    this.#player = new StepPlayer(emulator);
    this.#states.set(0, emulator.save());
  }

  /**
   * Starts the device on which the trace is replayed. Throws TraceError, TraceSeedError,
   * ReplayMismatchError if the first screen of the device differs, or an error of Emulator.start.
   */
  static async open(trace: Trace, { seed, firmware, signal }: TraceOptions = {}): Promise<TracePlayer> {
    checkTrace(trace);
    const module = await WebAssembly.compile(exportGlobals(firmware ?? (await readFirmware())));
    const text = seedOf(trace, seed);
    // The seed is derived only once.
    const bytes =
      text === null ? null : `hex:${Buffer.from(parseSeed(text ?? TEST_MNEMONIC)).toString('hex')}`;
    const settings = settingsOf(trace);
    const emulator = await Emulator.start({ seed: bytes, settings, module, trace: false, device: null });
    try {
      expectStart(trace, emulator);
      return new TracePlayer(trace, module, bytes, emulator, signal);
    } catch (error) {
      emulator.stop();
      throw error;
    }
  }

  /**
   * Returns a live device in the state after `step`, where 0 is the start. The caller must stop the device.
   * The reply to a command that waits for the user is emitted as `decision`. Throws `INVALID_INPUT`, or
   * ReplayMismatchError if the firmware or the seed differs from that of the trace.
   */
  async fork(step: number): Promise<Emulator> {
    const { steps } = this.trace;
    if (!Number.isInteger(step) || step < 0 || step > steps.length) {
      throw new ZbcSignerError('INVALID_INPUT', `the trace has the steps 0 to ${steps.length}`);
    }
    while (this.#played < step) {
      this.#advance();
      await pause(this.#played, this.signal);
    }
    const from = this.#played === step ? step : step - (step % this.#interval);
    const state = this.#states.get(from) ?? this.emulator.save();
    const { module, seed } = this;
    const emulator = await Emulator.start({ module, seed, state, device: null });
    if (from < step) {
      const player = new StepPlayer(emulator);
      for (let at = from; at < step; at++) expectStep(at + 1, steps[at]!, player.play(steps[at]!));
      player.end();
    }
    return emulator;
  }

  /** Wipes the states; live devices continue. */
  close(): void {
    for (const { image } of this.#states.values()) image?.memory.fill(0);
    this.#states.clear();
    this.emulator.stop();
  }

  #advance(): void {
    const step = this.trace.steps[this.#played]!;
    const played = this.#player.play(step);
    expectStep(this.#played + 1, step, played);
    this.#played++;
    if (this.#played % this.#interval === 0) this.#states.set(this.#played, this.emulator.save());
  }
}
