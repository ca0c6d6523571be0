import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import type { GatewayConfig } from '../config/config.js';
import type { Certificate } from '../http/tls.js';
import type { ProcessCounts } from '../monitoring/process-counts.js';
import { type Command, errorOf, isCommand, isReport, type Refusal, type Report } from './messages.js';

/** Workers that take longer are omitted. */
const REPLY_MS = 500;
/** A reload waits for silent nodes, and for a reload before it. */
export const RELOAD_MS = 60_000;
/** Covers the primary's wait for all workers. */
const PRIMARY_REPLY_MS = 2 * REPLY_MS;

const UNANSWERED: Refusal = { code: 'CONFIG_INVALID', message: 'a worker did not answer', faults: [] };

let requests = 0;

/** The counts of each worker that replies; called in the primary. */
export async function readCountsOf(
  workers: readonly Worker[],
  withHistory: boolean,
): Promise<ProcessCounts[]> {
  const answers = await Promise.all(
    workers.map(worker =>
      request<ProcessCounts>(worker, REPLY_MS, {
        send: requestId =>
          worker.send({ kind: 'report-counts', requestId, withHistory } satisfies Command, () => undefined),
        read: (message, requestId) =>
          isReport(message) && message.kind === 'counts' && message.requestId === requestId
            ? message.counts
            : undefined,
      }),
    ),
  );
  return answers.filter(counts => counts !== undefined);
}

/** The counts of all workers, from the primary; undefined if it does not reply. Called in a worker. */
export function readCountsOfAll(withHistory: boolean): Promise<readonly ProcessCounts[] | undefined> {
  return request<readonly ProcessCounts[]>(process, PRIMARY_REPLY_MS, {
    send: requestId =>
      process.send?.({ kind: 'request-all-counts', requestId, withHistory } satisfies Report),
    read: (message, requestId) =>
      isCommand(message) && message.kind === 'all-counts' && message.requestId === requestId
        ? message.counts
        : undefined,
  });
}

/** Has the primary reload every worker; throws ConfigError if it refuses. Called in a worker. */
export async function reloadAll(): Promise<void> {
  const answer = await request<Extract<Command, { kind: 'reload-ended' }>>(process, 3 * RELOAD_MS, {
    send: requestId => process.send?.({ kind: 'request-reload', requestId } satisfies Report),
    read: (message, requestId) =>
      isCommand(message) && message.kind === 'reload-ended' && message.requestId === requestId
        ? message
        : undefined,
  });
  const refusal = answer === undefined ? UNANSWERED : answer.refusal;
  if (refusal !== undefined) throw errorOf(refusal);
}

/** Has one worker make a configuration ready; returns why it could not. Called in the primary. */
export async function prepareReload(
  worker: Worker,
  config: GatewayConfig,
  certificate: Certificate | undefined,
): Promise<Refusal | undefined> {
  const done = new AbortController();
  const nothing = () => undefined;
  const exit = once(worker, 'exit', { signal: done.signal }).then(nothing, nothing);
  const reply = request<Extract<Report, { kind: 'reload-prepared' }>>(worker, RELOAD_MS, {
    send: requestId =>
      worker.send(
        { kind: 'prepare-reload', requestId, config, certificate } satisfies Command,
        () => undefined,
      ),
    read: (message, requestId) =>
      isReport(message) && message.kind === 'reload-prepared' && message.requestId === requestId
        ? message
        : undefined,
  });
  const answer = await Promise.race([reply, exit]);
  done.abort();
  return answer === undefined ? UNANSWERED : answer.refusal;
}

interface Channel {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

interface WorkerRequest<T> {
  send: (requestId: number) => void;
  /** The reply, if the message is the one to this request. */
  read: (message: unknown, requestId: number) => T | undefined;
}

function request<T>(
  channel: Channel,
  waitMs: number,
  { send, read }: WorkerRequest<T>,
): Promise<T | undefined> {
  const requestId = (requests += 1);
  return new Promise(resolve => {
    const end = (answer?: T) => {
      clearTimeout(timer);
      channel.off('message', receive);
      resolve(answer);
    };
    const receive = (message: unknown) => {
      const answer = read(message, requestId);
      if (answer !== undefined) end(answer);
    };
    const timer = setTimeout(end, waitMs);
    channel.on('message', receive);
    send(requestId);
  });
}
