import { median } from '../../testkit/time/median.js';
import type { Comparison, GatewayFigures, ProxyFigures } from './gateway.js';

/** A task, its figure, and the comparison. */
export type TableRow = [task: string, figure: string, rest: string];

const perSecond = (value: number) => `${value.toFixed(0)} /s`;
const us = (value: number) => `${value.toFixed(1)} µs`;
const ms = (value: number) => `${value.toFixed(3)} ms`;

export function rowsOfComparisons({ beforeNginx, beforeNode }: GatewayFigures): TableRow[] {
  return [
    ...rowsOfComparison('GET node/info by gateway, nginx upstream', beforeNginx),
    ...rowsOfComparison('GET node/info by gateway, full node upstream', beforeNode),
  ];
}

function rowsOfComparison(
  task: string,
  { gateway, plainGateway, nginx, bareFastify }: Comparison,
): TableRow[] {
  const row = (
    name: string,
    figure: keyof ProxyFigures,
    unit: (value: number) => string,
    ours = gateway,
  ): TableRow => [name, unit(medianOf(ours, figure)), against(figure, unit, ours, nginx)];
  return [
    row(task, 'requestsPerSecond', perSecond),
    row('  without limits and request log', 'requestsPerSecond', perSecond, plainGateway),
    row('  a bare proxy of Fastify', 'requestsPerSecond', perSecond, bareFastify),
    row('  processor time a request', 'processorUs', us),
    row('  without limits and request log', 'processorUs', us, plainGateway),
    row('  a bare proxy of Fastify', 'processorUs', us, bareFastify),
    row('  added to p50, 32 connections', 'addedP50Ms', ms),
    row('  added to p99, 32 connections', 'addedP99Ms', ms),
    row('  added to p50, one connection', 'aloneAddedP50Ms', ms),
    row('  added to p99, one connection', 'aloneAddedP99Ms', ms),
  ];
}

/**
 * Compares a figure with that of nginx: the median of the rounds' ratios, then nginx's figure. The ratio is
 * omitted if nginx's figure is 0 or negative, which can happen to an added time below the upstream's noise.
 */
function against(
  figure: keyof ProxyFigures,
  unit: (value: number) => string,
  ours: readonly ProxyFigures[],
  nginx: readonly ProxyFigures[],
): string {
  const ratio = median(ours.map((round, index) => round[figure] / nginx[index]![figure]));
  const times = nginx.some(round => round[figure] <= 0) ? '' : `${ratio.toFixed(2)} × `;
  return `${times}nginx (${unit(medianOf(nginx, figure))})`;
}

function medianOf(rounds: readonly ProxyFigures[], figure: keyof ProxyFigures): number {
  return median(rounds.map(round => round[figure]));
}
