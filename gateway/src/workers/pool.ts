import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { within } from '../base/within.js';
import type { GatewayConfig } from '../config/config.js';
import type { Certificate } from '../http/tls.js';
import {
  type Command,
  errorOf,
  isOutcome,
  isReport,
  type Outcome,
  type Report,
  refusalOf,
} from './messages.js';
import { prepareReload, RELOAD_MS, readCountsOf } from './requests.js';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
/** A worker that ran this long resets the restart delay. */
const GOOD_LIFE_MS = 60_000;
/** Longer than a gateway's grace period for running requests. */
const STOP_MS = 12_000;
const STDERR = 2;

interface PoolOptions {
  count: number;
  /** Makes the first message to each new worker. */
  startCommand: () => Command;
  /** Reloads the configuration of all workers; throws ConfigError. */
  reload: () => Promise<void>;
  /** Called when a worker exits unexpectedly. */
  onError: (error: Error) => void;
  /** Called with whole lines that a worker says on stderr, if it has not this process' own. */
  onLines: (lines: string) => void;
}

/** Keeps `count` worker processes running; restarts them with exponential backoff. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #delays = new Set<NodeJS.Timeout>();
  #deaths = 0;
  /** Those that have their configuration. */
  readonly #told = new WeakSet<Worker>();
  /** Of these, the ones that are not ready yet. */
  readonly #starting = new Map<Worker, Promise<unknown>>();
  /** Those that wait for the end of a reload to start; undefined while none runs. */
  #held: Worker[] | undefined;
  /** Workers are replaced only while this is set. */
  #isRunning = false;
  #isStopping = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    // Workers accept for themselves: a connection that the primary hands to a worker that dies stays open.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({
      exec: fileURLToPath(new URL('./worker.js', import.meta.url)),
      args: [],
      // Amounts are bigints.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', stderrOfWorkers(), 'ipc'],
    });
  }

  /** Resolves with each worker's outcome; `undefined` for one that exited. */
  start(): Promise<(Outcome | undefined)[]> {
    return Promise.all(Array.from({ length: this.#options.count }, () => firstOutcome(this.#fork())));
  }

  /** Replaces missing workers from now on. */
  keep(): void {
    this.#isRunning = true;
    for (let missing = this.#options.count - this.#workers().length; missing > 0; missing -= 1) this.#fork();
  }

  /**
   * Has all workers use a configuration, or none: throws ConfigError if one of them cannot. Workers that are
   * starting are waited for; those that come meanwhile start when it has ended. `use` makes it that of
   * `startCommand`.
   */
  async reload(config: GatewayConfig, certificate: Certificate | undefined, use: () => void): Promise<void> {
    this.#held = [];
    try {
      await within(RELOAD_MS, Promise.all(this.#starting.values()), () => []);
      const told = this.#workers().filter(worker => this.#told.has(worker));
      const refusals = await Promise.all(told.map(worker => prepareReload(worker, config, certificate)));
      const refusal = refusals.find(each => each !== undefined);
      this.#send({ kind: 'end-reload', isWanted: refusal === undefined });
      if (refusal !== undefined) throw errorOf(refusal);
      use();
    } finally {
      const held = this.#held;
      this.#held = undefined;
      for (const worker of held) this.#tellToStart(worker);
    }
  }

  /** Lets workers finish their running requests, then kills the remaining ones. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#isStopping = true;
    for (const delay of this.#delays) clearTimeout(delay);
    const workers = this.#workers();
    // With what they said last.
    const ended = Promise.all(
      workers.filter(worker => !worker.isDead()).map(worker => once(worker.process, 'close')),
    );
    this.#send({ kind: 'stop' });
    const overdue = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL');
    }, STOP_MS);
    await ended;
    clearTimeout(overdue);
  }

  #send(command: Command): void {
    for (const worker of this.#workers()) worker.send(command, () => undefined);
  }

  #workers(): Worker[] {
    return Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined);
  }

  #fork(): Worker {
    const worker = cluster.fork();
    const bornMs = performance.now();
    const { process } = worker;
    if (process.stderr) passLines(process.stderr, this.#options.onLines);
    // Node says no more of a process that it could not make.
    process.once('error', () => process.pid === undefined && process.emit('exit', null, null));
    worker.on('message', (message: unknown) => this.#receive(worker, message));
    worker.once('exit', (code, signal) =>
      this.#replace(
        bornMs,
        process.pid === undefined
          ? 'no worker could be started'
          : `worker ${process.pid} exited (${signal ?? `code ${code}`})`,
      ),
    );
    worker.on('error', this.#options.onError);
    return worker;
  }

  #receive(worker: Worker, message: unknown): void {
    if (!isReport(message)) return;
    if (message.kind === 'listening-for-commands') this.#startOrHold(worker);
    if (message.kind === 'request-all-counts') void this.#sendAllCounts(worker, message);
    if (message.kind === 'request-reload') void this.#reloadFor(worker, message.requestId);
    // A worker that failed to start is restarted, as the cause may go away.
    if (this.#isRunning && message.kind === 'failed') {
      this.#options.onError(new Error(`a worker failed to start: ${message.message}`));
      worker.process.kill('SIGKILL');
    }
  }

  #startOrHold(worker: Worker): void {
    if (this.#isStopping) {
      worker.send({ kind: 'stop' } satisfies Command, () => undefined);
    } else if (this.#held === undefined) {
      this.#tellToStart(worker);
    } else {
      this.#held.push(worker);
    }
  }

  #tellToStart(worker: Worker): void {
    this.#told.add(worker);
    const started = firstOutcome(worker).then(() => this.#starting.delete(worker));
    this.#starting.set(worker, started);
    worker.send(this.#options.startCommand(), () => undefined);
  }

  async #sendAllCounts(
    worker: Worker,
    { requestId, withHistory }: Extract<Report, { kind: 'request-all-counts' }>,
  ): Promise<void> {
    const counts = await readCountsOf(this.#workers(), withHistory);
    const answer: Command = { kind: 'all-counts', requestId, counts };
    worker.send(answer, () => undefined);
  }

  async #reloadFor(worker: Worker, requestId: number): Promise<void> {
    const refusal = await this.#options.reload().then(() => undefined, refusalOf);
    const answer: Command = { kind: 'reload-ended', requestId, refusal };
    worker.send(answer, () => undefined);
  }

  #replace(bornMs: number, why: string): void {
    if (!this.#isRunning) return;
    this.#deaths = performance.now() - bornMs < GOOD_LIFE_MS ? this.#deaths + 1 : 0;
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** this.#deaths, MAX_DELAY_MS);
    this.#options.onError(new Error(`${why}; restarting in ${delayMs} ms`));
    const delay = setTimeout(() => {
      this.#delays.delete(delay);
      try {
        this.#fork();
      } catch (error) {
        this.#replace(performance.now(), `no worker could be started (${error})`);
      }
    }, delayMs);
    this.#delays.add(delay);
  }
}

function firstOutcome(worker: Worker): Promise<Outcome | undefined> {
  return new Promise(resolve => {
    worker.on('message', (message: unknown) => isOutcome(message) && resolve(message));
    worker.once('exit', () => resolve(undefined));
  });
}

/**
 * A process makes a pipe or socket that it inherits block, and so for all that share it, which then could not
 * end while nobody reads.
 */
function stderrOfWorkers(): 'inherit' | 'pipe' {
  try {
    const stderr = fstatSync(STDERR);
    return stderr.isFIFO() || stderr.isSocket() ? 'pipe' : 'inherit';
  } catch {
    return 'inherit';
  }
}

/** A line of one worker is not broken by one of another. */
function passLines(from: Readable, pass: (lines: string) => void): void {
  let begun = '';
  from.setEncoding('utf8');
  from.on('error', () => undefined);
  from.on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) pass(begun + text.slice(0, end));
    begun = end > 0 ? text.slice(end) : begun + text;
  });
  from.on('end', () => begun !== '' && pass(`${begun}\n`));
}
