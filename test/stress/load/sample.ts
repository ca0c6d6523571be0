import { readdirSync, readFileSync } from 'node:fs';

/** One measurement of a process. */
export interface Sample {
  /** Memory without mapped files such as LMDB's data. */
  memoryBytes: number;
  descriptors: number;
  /** Heap of processes that report it. */
  heapBytes?: number;
}

/** Reads a process's sample from Linux (proc(5)). */
export function sampleProcess(pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)![1]);
  return { memoryBytes: kibibytes * 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

/** The used heap in a gateway's metrics. */
export async function readHeapBytes(metricsUrl: string): Promise<number> {
  const response = await fetch(metricsUrl, { headers: { connection: 'close' } });
  const line = /^zbc_gateway_nodejs_heap_size_used_bytes (\S+)$/m.exec(await response.text());
  return Number(line![1]);
}
