import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GatewayConfig } from '@zbc-signer/gateway';
import { type ChildOptions, type StartedChild, startScript } from '../process/child.js';
import { PROGRAM } from '../process/program.js';
import { root } from '../repository/repository.js';

const TUNED_GATEWAY = join(root, 'dist/testkit/gateway/gateway-process.js');

export interface RunningProcess extends StartedChild {
  /** The URL that the process printed at its start, without a trailing slash. */
  url: string;
  port: number;
}

interface FullNodeProcess {
  dataDir: string;
  /** Default: 127.0.0.1. */
  host?: string;
  /** Default: 0, so that the system chooses. */
  port?: number;
  blockTimeSeconds?: number;
}

/** Starts `zbc-signer …` as a process. Resolves when it reports that it is ready. */
async function startProgram(words: readonly string[], options?: ChildOptions): Promise<RunningProcess> {
  const started = await startScript(PROGRAM, [...words, '--json'], options);
  const { url } = JSON.parse(started.line) as { url?: string };
  if (url === undefined) throw new Error(`zbc-signer ${words.join(' ')} printed no URL: ${started.line}`);
  return { ...started, url, port: Number(new URL(url).port) };
}

export function startFullNode(node: FullNodeProcess, options?: ChildOptions): Promise<RunningProcess> {
  const { dataDir, host = '127.0.0.1', port = 0, blockTimeSeconds = 0.2 } = node;
  const words = [
    'node',
    'run',
    '--host',
    host,
    '--port',
    `${port}`,
    '--data',
    dataDir,
    '--block-time',
    `${blockTimeSeconds}`,
    '--named-chain',
  ];
  return startProgram(words, options);
}

export function startArchivalNode(
  node: { dataDir: string; host?: string; port?: number; follow: string },
  options?: ChildOptions,
): Promise<RunningProcess> {
  const { dataDir, host = '127.0.0.1', port = 0, follow } = node;
  const listen = ['--host', host, '--port', `${port}`];
  const words = ['node', 'run', '--archival', ...listen, '--data', dataDir, '--follow', follow];
  return startProgram(words, options);
}

/**
 * Starts a gateway. By default it is private, on a free loopback port, and without limits. `fields` of
 * `gateway.json` override these settings.
 */
export function startGatewayProcess(
  directory: string,
  fields: Record<string, unknown>,
  options?: ChildOptions,
): Promise<RunningProcess> {
  const withoutLimits = { health_interval_ms: 200, rate_limit: { requests: 0, writes: 0 }, ...fields };
  return startUsualGateway(directory, withoutLimits, ['--log-level', 'error'], options);
}

/** Like `startGatewayProcess`, but with other values of constants that the configuration cannot change. */
export async function startTunedGateway(
  directory: string,
  fields: Record<string, unknown>,
  fixed: Partial<GatewayConfig>,
  options?: ChildOptions,
): Promise<RunningProcess> {
  const path = writeGatewayConfig(directory, { rate_limit: { requests: 0, writes: 0 }, ...fields });
  const started = await startScript(TUNED_GATEWAY, [path, JSON.stringify(fixed)], options);
  const { url } = JSON.parse(started.line) as { url: string };
  return { ...started, url, port: Number(new URL(url).port) };
}

/** Starts a gateway with the default configuration on a free port. `fields` of `gateway.json` override it. */
export function startUsualGateway(
  directory: string,
  fields: Record<string, unknown>,
  words: readonly string[],
  options?: ChildOptions,
): Promise<RunningProcess> {
  const path = writeGatewayConfig(directory, fields);
  return startProgram(['gateway', '--config', path, ...words], options);
}

/** Writes a `gateway.json` and returns its path. */
export function writeGatewayConfig(directory: string, fields: Record<string, unknown>): string {
  const path = join(directory, 'gateway.json');
  const config = {
    gateway_host: 'gateway.test',
    listen: '127.0.0.1:0',
    admin_api_key: 'k'.repeat(43),
    ...fields,
  };
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}
