import { resolve } from 'node:path';
import { parseRefusal, statusWordOf } from '@zbc-signer/chain';
import { OK, USER_REJECTED } from '@zbc-signer/protocol/status-words';
import { type Screen, textsOf } from '../device/platform.js';
import { CoverageError } from '../errors.js';
import {
  type Kind,
  nameOfDecision,
  nameOfMenuPage,
  nameOfStatus,
  nameOfTitle,
  type Verdict,
} from './catalogue.js';
import { loadProbedFirmware, type ProbedFirmware } from './probed-firmware.js';
import { nameTest } from './running-test.js';
import { SessionFile } from './session-file.js';

const STATUS_BYTES = 2;

const files = new Map<string, SessionFile>();
let sessions = 0;

/** The part of an Emulator that is observed. */
interface Watched {
  readonly reviewing: boolean;
  on(event: 'screen', listener: (screen: Screen) => void): unknown;
  on(event: 'input', listener: (input: { apdu: Uint8Array } | object) => void): unknown;
  on(event: 'command', listener: (reply: Uint8Array | undefined) => void): unknown;
  on(event: 'decision', listener: (reply: Uint8Array) => void): unknown;
}

/** Records which code and which elements of the protocol the clients of one emulator reach. */
export class CoverageRecorder {
  readonly #session = `session ${++sessions} of process ${process.pid}`;
  /** The INS byte of the command whose review is open. */
  #reviewing: number | undefined;
  #lastInstruction = 0;

  private constructor(
    private readonly firmware: ProbedFirmware,
    private readonly file: SessionFile,
  ) {}

  /** Creates the directory; throws CoverageError if it cannot be written to. */
  static async open(directory: string): Promise<CoverageRecorder> {
    const firmware = await loadProbedFirmware();
    return new CoverageRecorder(firmware, openFile(resolve(directory), firmware));
  }

  /** The instrumented firmware, which the emulator must run. */
  get module(): WebAssembly.Module {
    return this.firmware.module;
  }

  /** Reads the probes, and resets them for the next test. */
  readMemory(memory: Uint8Array): void {
    const { start, length } = this.firmware.instrumented.area;
    const area = memory.subarray(start, start + length);
    this.file.addProbes(this.#test, area);
    area.fill(0);
  }

  observe(emulator: Watched): void {
    emulator.on('screen', screen => {
      if (!emulator.reviewing) this.#reviewing = undefined;
      this.#seeScreen(screen, emulator.reviewing);
    });
    emulator.on('input', input => {
      if ('apdu' in input && this.#reviewing === undefined) this.#lastInstruction = input.apdu[1] ?? 0;
      if ('cancel' in input) this.#decide('cancelled');
    });
    emulator.on('command', reply => {
      if (reply) this.#seeReply(reply);
      else this.#reviewing = this.#lastInstruction;
    });
    emulator.on('decision', reply => {
      this.#seeReply(reply);
      const word = statusWordOf(reply);
      if (word === OK) this.#decide('approved');
      else if (word === USER_REJECTED) this.#decide('rejected');
    });
  }

  get #test(): string {
    return nameTest() ?? this.#session;
  }

  #see(kind: Kind, name: string): void {
    this.file.addSeen(this.#test, kind, name);
  }

  #seeScreen(screen: Screen, isReview: boolean): void {
    const texts = textsOf(screen);
    if (isReview) this.#see('title', nameOfTitle(texts));
    else if (texts.length > 0) this.#see('menu page', nameOfMenuPage(texts));
  }

  #seeReply(reply: Uint8Array): void {
    const word = statusWordOf(reply);
    this.#see('status word', nameOfStatus(word));
    const refusal = word === OK ? undefined : parseRefusal(reply.subarray(0, -STATUS_BYTES));
    if (refusal) this.#see('refusal reason', refusal.reason);
  }

  #decide(verdict: Verdict): void {
    if (this.#reviewing === undefined) return;
    this.#see('decision', nameOfDecision(this.#reviewing, verdict));
    this.#reviewing = undefined;
  }
}

/** Opens one file per process and directory. */
function openFile(directory: string, { digest }: ProbedFirmware): SessionFile {
  try {
    const file = files.get(directory) ?? new SessionFile(directory, digest);
    files.set(directory, file);
    return file;
  } catch (error) {
    throw new CoverageError(`cannot write to ${directory}: ${(error as Error).message}`);
  }
}
