import type { Answer } from '../answer.js';

/** CPU, memory, disk and uptime of the gateway's machine. */
export interface SystemStats {
  cpuCount?: number | undefined;
  memoryTotalBytes?: bigint | undefined;
  memoryFreeBytes?: bigint | undefined;
  diskTotalBytes?: bigint | undefined;
  diskFreeBytes?: bigint | undefined;
  systemSeconds?: number | undefined;
  processSeconds?: number | undefined;
}

/**
 * A relay. `rate` is in atomic units per megabyte; `genesisHash`, 32 bytes, is that of the chain of its
 * payments.
 */
export interface RelayInfo {
  address: string;
  rate?: bigint | undefined;
  genesisHash: Uint8Array;
}

export function readSystemStats(answer: Answer): SystemStats {
  const [cpu, memory, disk, uptime] = ['cpu', 'memory', 'disk', 'uptime'].map(name =>
    answer.has(name) ? answer.object(name) : undefined,
  );
  return {
    cpuCount: cpu?.optional('count', 'count'),
    memoryTotalBytes: memory?.optional('total_bytes', 'amount'),
    memoryFreeBytes: memory?.optional('free_bytes', 'amount'),
    diskTotalBytes: disk?.optional('total_bytes', 'amount'),
    diskFreeBytes: disk?.optional('free_bytes', 'amount'),
    systemSeconds: uptime?.optional('system_seconds', 'decimal'),
    processSeconds: uptime?.optional('process_seconds', 'decimal'),
  };
}

export function readRelayInfo(answer: Answer): RelayInfo {
  return {
    address: answer.text('address'),
    rate: answer.optional('rate', 'amount'),
    genesisHash: answer.hash('genesis_hash'),
  };
}
