import type { LookupFunction } from 'node:net';
import { GatewayError, type RetryingReader, SYSTEM_CLOCK } from '@zbc-signer/host';
import { ExplorerClient } from '@zbc-signer/host/explorer';
import type { Agent, RequestInit as UndiciRequest } from 'undici';
import { inOption } from '../errors/errors.js';
import { apiSetting } from '../input/config.js';
import { reportProgress } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';

/** A client of the gateway at `--api`, or at the default URL. */
export function openGateway({ api }: { api?: string | undefined }): ExplorerClient {
  const { value, source } = apiSetting(api);
  return inOption(source, () => new ExplorerClient(value, { fetch: localhostFetch }));
}

const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
let agent: Agent | undefined;

/**
 * The global fetch, with names under `.localhost` resolved to the loopback addresses as in browsers (RFC 6761
 * section 6.3). A development network uses these names, which not every system resolves.
 */
export const localhostFetch: typeof fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  try {
    return url.hostname.endsWith('.localhost') ? await fetchLoopback(url, init) : await fetch(input, init);
  } catch (error) {
    // Throwing a GatewayUnreachableError would cause a retry.
    if (messageOfCause(error) !== 'bad port') throw error;
    const reason = `cannot reach the gateway at ${url.origin}: fetch does not allow this port`;
    throw new GatewayError('GATEWAY_UNREACHABLE', reason);
  }
};

async function fetchLoopback(url: URL, init?: RequestInit): Promise<Response> {
  const undici = await import('undici');
  agent ??= new undici.Agent({ connect: { lookup: lookUpLoopback } });
  // undici and Node declare the same standard's types separately.
  const request = { ...init, dispatcher: agent } as unknown as UndiciRequest;
  return (await undici.fetch(url, request)) as unknown as Response;
}

function messageOfCause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined;
}

const lookUpLoopback: LookupFunction = (_hostname, { all }, answer) => {
  if (all) {
    answer(null, LOOPBACK);
  } else {
    answer(null, LOOPBACK[0]!.address, LOOPBACK[0]!.family);
  }
};

export { retryRead } from '@zbc-signer/host';

/**
 * Returns a reader, which reports why a request is retried, and stops at Ctrl-C. Used by commands that only
 * read.
 */
export function createReader(terminal: Terminal): RetryingReader {
  return {
    request: { signal: terminal.signal },
    clock: SYSTEM_CLOCK,
    report: reportProgress(terminal, false),
  };
}
