import { setTimeout as pause } from 'node:timers/promises';
import type { Network } from '../../../testkit/network/network.js';
import { descriptorFault, memoryFault, mib } from './limits.js';
import { readHeapBytes, type Sample, sampleProcess } from './sample.js';

const INTERVAL_MS = 1000;
const LOOKS_AT_REST = 10;
/** More seconds than any idle connection is kept. */
const MAX_LOOKS_AT_REST = 100;

type Descriptors = Map<string, number>;

/** Samples the processes of a network once a second. */
export class ProcessMonitor {
  readonly #metricsUrl: string;
  readonly #pids: readonly (readonly [name: string, pid: number])[];
  readonly #samples = new Map<string, Sample[]>();

  constructor({ gateway, full, archival }: Network) {
    this.#metricsUrl = (JSON.parse(gateway.line) as { metrics_url: string }).metrics_url;
    const processes = { gateway, 'full node': full, 'archival node': archival };
    this.#pids = Object.entries(processes).map(([name, { child }]) => [name, child.pid!] as const);
    for (const [name] of this.#pids) this.#samples.set(name, []);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const heapBytes = await readHeapBytes(this.#metricsUrl);
      for (const [name, pid] of this.#pids) {
        const sample = sampleProcess(pid);
        this.#samples.get(name)!.push(name === 'gateway' ? { ...sample, heapBytes } : sample);
      }
      await pause(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * The minimum number of each process's open descriptors without requests. Health checks open and close some
   * descriptors, so the minimum of several looks counts.
   */
  async descriptorsAtRest(): Promise<Descriptors> {
    const fewest: Descriptors = new Map();
    for (let look = 0; look < LOOKS_AT_REST; look += 1) await this.#lookAgain(fewest);
    return fewest;
  }

  /**
   * The minimum number of each process's open descriptors after the load. Looks again until no minimum is
   * above that before the load, or until the maximum number of looks.
   */
  async descriptorsAgain(before: Descriptors): Promise<Descriptors> {
    const fewest: Descriptors = new Map();
    const isMore = () => this.#pids.some(([name]) => (fewest.get(name) ?? Infinity) > before.get(name)!);
    for (let look = 0; look < MAX_LOOKS_AT_REST && isMore(); look += 1) await this.#lookAgain(fewest);
    return fewest;
  }

  async #lookAgain(fewest: Descriptors): Promise<void> {
    await pause(INTERVAL_MS);
    for (const [name, pid] of this.#pids) {
      const { descriptors } = sampleProcess(pid);
      fewest.set(name, Math.min(descriptors, fewest.get(name) ?? descriptors));
    }
  }

  faults(before: Descriptors, after: Descriptors): string[] {
    return [...this.#samples].flatMap(([name, samples]) =>
      [memoryFault(samples), descriptorFault(before.get(name)!, after.get(name)!)]
        .filter(fault => fault !== undefined)
        .map(fault => `${name}: ${fault}`),
    );
  }

  describe(): string[] {
    return [...this.#samples].map(([name, samples]) => {
      const at = (index: number) => describeSample(samples[Math.min(index, samples.length - 1)]!);
      return `${name}: ${at(60)} after a minute, ${at(samples.length >> 1)} in the middle, ${at(samples.length - 1)} at the end`;
    });
  }
}

function describeSample({ memoryBytes, heapBytes, descriptors }: Sample): string {
  const heap = heapBytes === undefined ? '' : `heap ${mib(heapBytes)}, `;
  return `${mib(memoryBytes)} (${heap}${descriptors} descriptors)`;
}
