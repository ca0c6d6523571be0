// Measures how one stalled node of two affects the slowest reads of a gateway. The gateway has one processor to
// itself. wrk and the nodes share another processor.
import { join } from 'node:path';
import { startGatewayProcess } from '../../testkit/network/network-processes.js';
import { endProcess, startScript } from '../../testkit/process/child.js';
import { openDirectory } from '../../testkit/process/temporary-directory.js';
import { root } from '../../testkit/repository/repository.js';
import { median } from '../../testkit/time/median.js';
import type { Server } from './processors.js';
import { ON_MEASURED, ON_OTHERS } from './processors.js';
import { load } from './wrk.js';

const ROUNDS = 10;
const LOAD = { connections: 8, seconds: 3 };
/** Longer than the gateway waits before it asks the next node too. */
const STALLED_MS = 30_000;
const PATH = '/api/v1/x';

/** Medians of alternating rounds. */
interface SlowNodeFigures {
  healthyP99Ms: number;
  /** The p99 while one of the two nodes needs STALLED_MS for each read. */
  stalledP99Ms: number;
  ratio: number;
  /** The least and greatest ratio of a round. */
  range: [least: number, greatest: number];
}

/** Measures the p99 with and without a stalled node. The stalled node answers health checks at once. */
export async function measureSlowNode(): Promise<SlowNodeFigures> {
  const directory = openDirectory('zbc-bench.');
  const nodes = await Promise.all([startNode(), startNode()]);
  const static_nodes = nodes.map(({ port }) => ({ url: `http://127.0.0.1:${port}` }));
  const gateway = await startGatewayProcess(directory, { static_nodes }, { before: ON_MEASURED });
  const p99 = async (delayMs: number) => {
    await fetch(`${nodes[0]!.url}/slow/${delayMs}`);
    return (await load(gateway.url + PATH, LOAD)).p99Ms;
  };
  try {
    await p99(0);
    const rounds: { healthy: number; stalled: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ healthy: await p99(0), stalled: await p99(STALLED_MS) });
    }
    const ratios = rounds.map(({ healthy, stalled }) => stalled / healthy);
    return {
      healthyP99Ms: median(rounds.map(({ healthy }) => healthy)),
      stalledP99Ms: median(rounds.map(({ stalled }) => stalled)),
      ratio: median(ratios),
      range: [Math.min(...ratios), Math.max(...ratios)],
    };
  } finally {
    for (const process of [gateway, ...nodes]) await endProcess(process, 'SIGTERM');
  }
}

async function startNode(): Promise<Server> {
  const script = join(root, 'dist/bench/gateway/slow-upstream.js');
  const { child, line: url } = await startScript(script, [], { before: ON_OTHERS });
  return { child, url, port: Number(new URL(url).port) };
}
