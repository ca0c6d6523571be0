import type { GatewayNode, GatewayStatus, SystemStats } from '../../gateway/index.js';
import { openGateway } from '../gateway.js';
import { createReader, retryRead } from '../reading.js';
import { formatColumns, formatTable } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';

interface GatewayStatusOptions {
  api?: string | undefined;
}

export async function showGatewayStatus(options: GatewayStatusOptions, terminal: Terminal): Promise<Outcome> {
  const gateway = openGateway(options);
  const reader = createReader(terminal);
  const [status, stats] = await Promise.all([
    retryRead(reader, request => gateway.gatewayStatus(request)),
    retryRead(reader, request => gateway.systemStats(request)),
  ]);
  return { json: statusJson(status, stats), text: describe(status, stats) };
}

function statusJson(status: GatewayStatus, stats: SystemStats): Record<string, unknown> {
  const { mode, domain, version, uptimeSeconds, nodes } = status;
  return {
    mode,
    domain,
    ...(version !== undefined && { version }),
    ...(uptimeSeconds !== undefined && { uptime_seconds: uptimeSeconds }),
    nodes: nodes.map(nodeJson),
    ...(stats.cpuPercent !== undefined && { cpu_percent: stats.cpuPercent }),
    ...(stats.memoryFreeBytes !== undefined && { memory_free_bytes: stats.memoryFreeBytes }),
    ...(stats.diskFreeBytes !== undefined && { disk_free_bytes: stats.diskFreeBytes }),
  };
}

function nodeJson({ ip, port, role, answers }: GatewayNode): Record<string, unknown> {
  return { ip, port, ...(role !== undefined && { role }), answers };
}

function describe(
  { mode, domain, version, uptimeSeconds, nodes }: GatewayStatus,
  stats: SystemStats,
): string {
  const free = (bytes: bigint | undefined) =>
    bytes === undefined ? 'not told' : `${bytes / (1n << 20n)} MiB free`;
  const facts = formatTable([
    ['Gateway', version === undefined ? domain : `${domain}, version ${version}`],
    ['Mode', mode],
    ...(uptimeSeconds === undefined ? [] : [['Up for', `${Math.round(uptimeSeconds)} s`] as const]),
    ['Processor', stats.cpuPercent === undefined ? 'not told' : `${stats.cpuPercent.toFixed(1)} % busy`],
    ['Memory', free(stats.memoryFreeBytes)],
    ['Disk', free(stats.diskFreeBytes)],
  ]);
  const rows = nodes.map(({ ip, port, role, answers }) => [
    `${ip}:${port}`,
    role ?? '',
    answers ? 'answers' : 'does not answer',
  ]);
  return `${facts}\n\n${formatColumns(['Node', 'Kind', ''], rows, 'It has no nodes.')}`;
}
