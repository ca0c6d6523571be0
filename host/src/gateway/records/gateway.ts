import { type Answer, readList } from '../answer.js';
import type { NodeAddress } from '../node-hostname.js';

/** A node as the gateway sees it; `role` is `full` or `archival`, or undefined when it does not say. */
export interface GatewayNode extends NodeAddress {
  role?: string | undefined;
  answers: boolean;
}

/** What a gateway tells of itself: `private` or `public`, its host name, and its nodes. */
export interface GatewayStatus {
  mode: string;
  domain: string;
  version?: string | undefined;
  uptimeSeconds?: number | undefined;
  allowlisted?: number | undefined;
  answering?: number | undefined;
  nodes: GatewayNode[];
}

/** Of the machine that the gateway runs on. */
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

/** `rate` in atomic units a megabyte; `genesisHash`, of the chain that it settles on, in lower hex. */
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
