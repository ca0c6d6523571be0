import { readdirSync, readFileSync } from 'node:fs';

/** One look at a process. */
export interface Sample {
  /** Without what it has mapped of files, as LMDB maps its data. */
  memoryBytes: number;
  descriptors: number;
  /** Of those that tell. */
  heapBytes?: number;
}

/** As Linux tells of a process (proc(5)). */
export function sampleProcess(pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)![1]);
  return { memoryBytes: kibibytes * 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

/** The used heap, as a gateway's metrics tell. */
export async function readHeapBytes(metricsUrl: string): Promise<number> {
  const response = await fetch(metricsUrl, { headers: { connection: 'close' } });
  const line = /^zbc_gateway_nodejs_heap_size_used_bytes (\S+)$/m.exec(await response.text());
  return Number(line![1]);
}
