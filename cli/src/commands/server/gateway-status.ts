import type { GatewayNode, GatewayStatus } from '@zbc-signer/host';
import type { SystemStats } from '@zbc-signer/host/explorer';
import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { formatColumns, formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS } from '../../parser/options.js';

export const command = defineCommand({
  options: { ...GATEWAY_OPTIONS },
  examples: [['$0 gateway status --api https://gateway.example', 'needs no key']],

  async run(options, terminal) {
    const gateway = openGateway(options);
    const reader = createReader(terminal);
    const [status, stats] = await Promise.all([
      retryRead(reader, request => gateway.gatewayStatus(request)),
      retryRead(reader, request => gateway.systemStats(request)),
    ]);
    return { json: statusJson(status, stats), text: describe(status, stats) };
  },
});

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

function nodeJson({ ip, port, role, answers, routed, cordoned }: GatewayNode): Record<string, unknown> {
  return {
    ip,
    port,
    ...(role !== undefined && { role }),
    answers,
    ...(routed !== undefined && { routed }),
    ...(cordoned !== undefined && { cordoned }),
  };
}

function stateOf({ answers, routed, cordoned }: GatewayNode): string {
  const state = answers ? 'answers' : 'does not answer';
  if (cordoned) return `${state}, cordoned`;
  return answers && routed === false ? `${state}, gets no requests` : state;
}

function describe(
  { mode, domain, version, uptimeSeconds, nodes }: GatewayStatus,
  stats: SystemStats,
): string {
  const free = (bytes: bigint | undefined) =>
    bytes === undefined ? 'not reported' : `${bytes / (1n << 20n)} MiB free`;
  const facts = formatTable([
    ['Gateway', version === undefined ? domain : `${domain}, version ${version}`],
    ['Mode', mode],
    ...(uptimeSeconds === undefined ? [] : [['Uptime', `${Math.round(uptimeSeconds)} s`] as const]),
    ['CPU', stats.cpuPercent === undefined ? 'not reported' : `${stats.cpuPercent.toFixed(1)} % busy`],
    ['Memory', free(stats.memoryFreeBytes)],
    ['Disk', free(stats.diskFreeBytes)],
  ]);
  const rows = nodes.map(node => [`${node.ip}:${node.port}`, node.role ?? '', stateOf(node)]);
  return `${facts}\n\n${formatColumns(['Node', 'Role', ''], rows, 'No nodes.')}`;
}
