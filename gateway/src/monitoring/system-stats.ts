import { statfs } from 'node:fs/promises';
import { cpus, freemem, loadavg, totalmem, uptime } from 'node:os';

/** Processor time since the machine started, summed over all processors, in milliseconds. */
interface ProcessorTimes {
  busy: number;
  all: number;
}

/** A shorter interval would mostly measure the request itself. */
const MIN_SPAN_MS = 1000;

/** Reads CPU, memory, disk and uptime; `directory` selects the disk. */
export class SystemStats {
  readonly #directory: string;
  #times = readTimes();
  #usagePercent = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async read() {
    const { bsize, blocks, bavail } = await statfs(this.#directory);
    return {
      cpu: {
        count: cpus().length,
        load_average: loadavg().map(load => Math.round(load * 100) / 100),
        usage_percent: this.#readUsage(),
      },
      memory: {
        total_bytes: totalmem(),
        free_bytes: freemem(),
        process_bytes: process.memoryUsage.rss(),
      },
      disk: { total_bytes: bsize * blocks, free_bytes: bsize * bavail },
      uptime: { system_seconds: Math.floor(uptime()), process_seconds: Math.floor(process.uptime()) },
    };
  }

  /** CPU usage over all processors since the previous call, with one decimal. */
  #readUsage(): number {
    const times = readTimes();
    const all = times.all - this.#times.all;
    if (all >= MIN_SPAN_MS) {
      this.#usagePercent = Math.round(((times.busy - this.#times.busy) / all) * 1000) / 10;
      this.#times = times;
    }
    return this.#usagePercent;
  }
}

function readTimes(): ProcessorTimes {
  const sums = { busy: 0, all: 0 };
  for (const { times } of cpus()) {
    const busy = times.user + times.nice + times.sys + times.irq;
    sums.busy += busy;
    sums.all += busy + times.idle;
  }
  return sums;
}
