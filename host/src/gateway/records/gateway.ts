import { type Answer, readList } from '../answer.js';
import type { NodeAddress } from '../node-hostname.js';

/** A node of the gateway; `role` is `full`, `archival`, or undefined if not reported. */
export interface GatewayNode extends NodeAddress {
  role?: string | undefined;
  answers: boolean;
}

/** A gateway's status: `mode` is `private` or `public`, `domain` its host name. */
export interface GatewayStatus {
  mode: string;
  domain: string;
  version?: string | undefined;
  uptimeSeconds?: number | undefined;
  allowlisted?: number | undefined;
  answering?: number | undefined;
  nodes: GatewayNode[];
}

/** The gateway's machine. */
export interface SystemStats {
  cpuCount?: number | undefined;
  cpuPercent?: number | undefined;
  memoryTotalBytes?: bigint | undefined;
  memoryFreeBytes?: bigint | undefined;
  diskTotalBytes?: bigint | undefined;
  diskFreeBytes?: bigint | undefined;
  systemSeconds?: number | undefined;
  processSeconds?: number | undefined;
}

/** `rate` in atomic units per megabyte; `genesisHash`, of the chain it settles on, in lower-case hex. */
export interface RelayInfo {
  address: string;
  rate?: bigint | undefined;
  genesisHash: string;
}

export type AllowlistEntry = NodeAddress & { role?: string | undefined };

export function readGatewayStatus(answer: Answer): GatewayStatus {
  return {
    mode: answer.text('mode'),
    domain: answer.text('domain'),
    version: answer.optional('version', 'label'),
    uptimeSeconds: answer.optional('uptime_seconds', 'decimal'),
    allowlisted: answer.optional('allowlisted', 'count'),
    answering: answer.optional('answering', 'count'),
    nodes: answer.list('nodes').map(node => ({ ...readEntry(node), answers: node.flag('answers') })),
  };
}

export function readAllowlist(route: string, json: unknown): AllowlistEntry[] {
  return readList(route, json, 'allowlist').map(readEntry);
}

function readEntry(answer: Answer): AllowlistEntry {
  return {
    ip: answer.text('ip'),
    port: answer.count('port'),
    role: answer.optional('role', 'text'),
  };
}

export function readSystemStats(answer: Answer): SystemStats {
  const [cpu, memory, disk, uptime] = ['cpu', 'memory', 'disk', 'uptime'].map(name =>
    answer.has(name) ? answer.object(name) : undefined,
  );
  return {
    cpuCount: cpu?.optional('count', 'count'),
    cpuPercent: cpu?.optional('usage_percent', 'decimal'),
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
