// What one slow node of two adds to the slowest reads of a gateway.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess } from '../testkit/child.js';
import { type Answer, json, RecordingNode } from '../testkit/gateway/recording-node.js';
import { median } from '../testkit/median.js';
import { startGatewayProcess } from '../testkit/network-processes.js';
import { ON_MEASURED } from './processors.js';
import { load } from './wrk.js';

const ROUNDS = 5;
const LOAD = { connections: 8, seconds: 2 };
const SLOW_MS = 200;
const ANSWER = json(200, { height: 1 });

/** Medians of the rounds, which take turns. */
interface SlowNodeFigures {
  healthyP99Ms: number;
  /** While one of the two nodes takes SLOW_MS for each read. */
  slowP99Ms: number;
  ratio: number;
}

/** The nodes answer in this process; a health check of the slow one is answered at once. */
export async function measureSlowNode(): Promise<SlowNodeFigures> {
  const directory = mkdtempSync(join(tmpdir(), 'zbc-bench.'));
  const nodes = await Promise.all([RecordingNode.start('full', ANSWER), RecordingNode.start('full', ANSWER)]);
  const static_nodes = nodes.map(({ ip, port, role }) => ({ ip, port, role }));
  const gateway = await startGatewayProcess(directory, { static_nodes }, { before: ON_MEASURED });
  const slow: Answer = (...exchange) => void setTimeout(() => ANSWER(...exchange), SLOW_MS);
  const p99 = async (answer: Answer) => {
    nodes[0].answer = answer;
    const { p99Ms } = await load(`${gateway.url}/api/v1/x`, LOAD);
    for (const { received } of nodes) received.length = 0;
    return p99Ms;
  };
  try {
    await p99(ANSWER);
    const rounds: { healthy: number; slow: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ healthy: await p99(ANSWER), slow: await p99(slow) });
    }
    return {
      healthyP99Ms: median(rounds.map(({ healthy }) => healthy)),
      slowP99Ms: median(rounds.map(({ slow: figure }) => figure)),
      ratio: median(rounds.map(({ healthy, slow: figure }) => figure / healthy)),
    };
  } finally {
    await endProcess(gateway, 'SIGTERM');
    await Promise.all(nodes.map(node => node.stop()));
    rmSync(directory, { recursive: true });
  }
}
