import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ON_OTHERS } from './processors.js';

const run = promisify(execFile);
const [TASKSET, ...PINNED] = ON_OTHERS;
const UNITS_MS = { us: 0.001, ms: 1, s: 1000 };

interface Load {
  connections: number;
  seconds: number;
}

export interface LoadFigures {
  requests: number;
  /** Requests answered with another status than 2xx or 3xx. */
  refused: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  slowestMs: number;
}

/** Keeps every connection busy with the same GET. Throws if a connection breaks or a request times out. */
export async function load(url: string, { connections, seconds }: Load): Promise<LoadFigures> {
  const words = [...PINNED, 'wrk', '-t1', `-c${connections}`, `-d${seconds}`, '--latency', url];
  const { stdout } = await run(TASKSET, words);
  if (stdout.includes('Socket errors')) throw new Error(`requests failed:\n${stdout}`);
  return {
    requests: numberIn(stdout, /(\d+) requests in/),
    refused: stdout.includes('Non-2xx') ? numberIn(stdout, /Non-2xx or 3xx responses: (\d+)/) : 0,
    requestsPerSecond: numberIn(stdout, /Requests\/sec:\s+([\d.]+)/),
    p50Ms: millisecondsIn(stdout, /50%\s+([\d.]+)(us|ms|s)/),
    p99Ms: millisecondsIn(stdout, /99%\s+([\d.]+)(us|ms|s)/),
    slowestMs: millisecondsIn(stdout, /Latency\s+\S+\s+\S+\s+([\d.]+)(us|ms|s)/),
  };
}

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1]);
}

function millisecondsIn(text: string, pattern: RegExp): number {
  const [, value, unit] = pattern.exec(text) ?? [];
  return Number(value) * UNITS_MS[unit as keyof typeof UNITS_MS];
}
