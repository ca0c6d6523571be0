import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isOutcome, isReport, type Order, type Outcome } from './messages.js';
import { readTrafficOf } from './traffic-question.js';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
/** A worker that lived so long had started well. */
const GOOD_LIFE_MS = 60_000;
/** A little longer than a gateway gives its running requests. */
const STOP_MS = 12_000;

export interface PoolOptions {
  count: number;
  /** For a worker that has just been made, each time. */
  startOrder: () => Order;
  /** Hears of workers that ended by themselves. */
  onError: (error: Error) => void;
}

/** Keeps so many worker processes running; one that dies is replaced, later and later while they keep dying. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #delays = new Set<NodeJS.Timeout>();
  #deaths = 0;
  /** Before and after, nothing is replaced. */
  #isRunning = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    cluster.setupPrimary({
      exec: fileURLToPath(new URL('./worker.js', import.meta.url)),
      args: [],
      // Amounts are bigints.
      serialization: 'advanced',
    });
  }

  /** Resolves with how each worker started; one that ended before is `undefined`. */
  start(): Promise<(Outcome | undefined)[]> {
    return Promise.all(Array.from({ length: this.#options.count }, () => firstOutcome(this.#fork())));
  }

  /** From now on there are always as many as there should be. */
  keep(): void {
    this.#isRunning = true;
    for (let missing = this.#options.count - this.#workers().length; missing > 0; missing -= 1) this.#fork();
  }

  tell(order: Order): void {
    for (const worker of this.#workers()) worker.send(order, () => undefined);
  }

  /** Workers end their running requests first; those that do not end are killed. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const delay of this.#delays) clearTimeout(delay);
    const workers = this.#workers();
    const ended = Promise.all(workers.filter(worker => !worker.isDead()).map(worker => once(worker, 'exit')));
    this.tell({ kind: 'stop' });
    const overdue = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL');
    }, STOP_MS);
    await ended;
    clearTimeout(overdue);
  }

  #workers(): Worker[] {
    return Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined);
  }

  #fork(): Worker {
    const worker = cluster.fork();
    const bornMs = performance.now();
    worker.on('message', (message: unknown) => this.#hear(worker, message));
    worker.once('exit', (code, signal) => this.#replace(worker, bornMs, signal ?? `code ${code}`));
    worker.on('error', this.#options.onError);
    return worker;
  }

  #hear(worker: Worker, message: unknown): void {
    if (!isReport(message)) return;
    if (message.kind === 'listening-for-orders') {
      worker.send(this.#options.startOrder(), () => undefined);
    }
    if (message.kind === 'ask-traffic') void this.#tellTraffic(worker, message.question);
    // A worker that cannot start has nothing left to do; it is tried again, as what it needs may come back.
    if (this.#isRunning && message.kind === 'failed') {
      this.#options.onError(new Error(`a worker cannot start: ${message.message}`));
      worker.process.kill('SIGKILL');
    }
  }

  async #tellTraffic(worker: Worker, question: number): Promise<void> {
    const counts = await readTrafficOf(this.#workers());
    const answer: Order = { kind: 'traffic-of-all', question, counts };
    worker.send(answer, () => undefined);
  }

  #replace({ process: { pid } }: Worker, bornMs: number, how: string): void {
    if (!this.#isRunning) return;
    this.#deaths = performance.now() - bornMs < GOOD_LIFE_MS ? this.#deaths + 1 : 0;
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** this.#deaths, MAX_DELAY_MS);
    this.#options.onError(new Error(`worker ${pid} ended (${how}); another one starts in ${delayMs} ms`));
    const delay = setTimeout(() => {
      this.#delays.delete(delay);
      this.#fork();
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
