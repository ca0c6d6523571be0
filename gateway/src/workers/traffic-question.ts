import type { Worker } from 'node:cluster';
import type { TrafficCounts } from '../monitoring/traffic.js';
import { isOrder, isReport, type Order, type Report } from './messages.js';

/** A worker that takes longer is left out: it has ended, or is too busy to be waited for. */
const ANSWER_MS = 500;
/** The primary has waited for every worker by then. */
const PRIMARY_ANSWER_MS = 2 * ANSWER_MS;

let questions = 0;

/** What each worker that answers has counted; for the primary. */
export async function readTrafficOf(workers: readonly Worker[]): Promise<TrafficCounts[]> {
  const answers = await Promise.all(
    workers.map(worker =>
      ask<TrafficCounts>(worker, ANSWER_MS, {
        send: question => worker.send({ kind: 'tell-traffic', question } satisfies Order, () => undefined),
        read: (message, question) =>
          isReport(message) && message.kind === 'traffic' && message.question === question
            ? message.counts
            : undefined,
      }),
    ),
  );
  return answers.filter(counts => counts !== undefined);
}

/** What every worker has counted, this one too, as the primary tells; undefined when it does not. For a worker. */
export function readTrafficOfAll(): Promise<readonly TrafficCounts[] | undefined> {
  return ask<readonly TrafficCounts[]>(process, PRIMARY_ANSWER_MS, {
    send: question => process.send?.({ kind: 'ask-traffic', question } satisfies Report),
    read: (message, question) =>
      isOrder(message) && message.kind === 'traffic-of-all' && message.question === question
        ? message.counts
        : undefined,
  });
}

interface Channel {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

interface Question<T> {
  send: (question: number) => void;
  /** The answer to the question, if the message is that. */
  read: (message: unknown, question: number) => T | undefined;
}

function ask<T>(channel: Channel, waitMs: number, { send, read }: Question<T>): Promise<T | undefined> {
  const question = (questions += 1);
  return new Promise(resolve => {
    const end = (answer?: T) => {
      clearTimeout(timer);
      channel.off('message', hear);
      resolve(answer);
    };
    const hear = (message: unknown) => {
      const answer = read(message, question);
      if (answer !== undefined) end(answer);
    };
    const timer = setTimeout(end, waitMs);
    channel.on('message', hear);
    send(question);
  });
}
