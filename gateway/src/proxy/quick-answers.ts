import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayConfig } from '../config/config.js';
import { clientNaming } from '../limits/client.js';
import type { ClientWindows } from '../limits/client-windows.js';
import type { RunningRequests } from '../limits/running-requests.js';
import type { AnsweredRequests } from '../monitoring/answered-requests.js';
import { codingFor } from './answer-coder.js';
import type { ChainRouter } from './chain-router.js';
import { CHAIN_ROUTE, HEIGHT } from './chain-routes.js';
import type { FixedReads } from './fixed-reads.js';
import { asksGateway } from './request-checks.js';

interface Parts {
  config: GatewayConfig;
  router: ChainRouter;
  fixedReads: FixedReads;
  /** What counts all requests of a client; undefined without that limit. */
  windows: ClientWindows | undefined;
  running: RunningRequests;
  answers: AnsweredRequests;
  /** After which a response that its client does not read is given up. */
  slowReaderMs: number;
}

/** Answers a request, or leaves it to the app. */
type QuickAnswer = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Answers a GET from memory before the app, which takes twice the time for the same answer. What would be
 * refused, or answered otherwise than from memory and with 200, is left to the app.
 */
export function createQuickAnswers(parts: Parts): QuickAnswer {
  const { config, router, fixedReads, windows, running, answers, slowReaderMs } = parts;
  const clientOf = clientNaming(config.trustedProxies);
  const { hstsSeconds } = config;
  const security = hstsSeconds === 0 ? [] : ['strict-transport-security', `max-age=${hstsSeconds}`];
  return (request, response) => {
    const { method, url = '', headers, socket } = request;
    if (method !== 'GET' || headers['if-none-match'] !== undefined) return false;
    const kept = fixedReads.find(url, headers);
    if (kept === undefined || codingFor(kept.answer, headers['accept-encoding']) !== undefined) return false;
    if (response.socket === null || socket.writableLength > 0) return false;
    const client = clientOf(request);
    if (running.refusal(client, true) !== undefined || windows?.isUsedUp(client)) return false;
    if (!asksGateway(request, config)) return false;
    const startMs = performance.now();
    const lines = [...kept.head, ...security];
    const count = windows?.count(client);
    if (count !== undefined) {
      lines.push('ratelimit-limit', String(count.maximum), 'ratelimit-remaining', String(count.remaining));
      lines.push('ratelimit-reset', String(count.resetSeconds));
    }
    const height = router.heightOf(kept.node);
    if (height !== undefined) lines.push(HEIGHT, String(height));
    fixedReads.countHit();
    response.writeHead(200, lines);
    response.end(kept.answer.body);
    const report = () => {
      const { writableFinished } = response;
      const bytes = writableFinished || socket.writableLength === 0 ? kept.answer.body.length : 0;
      const milliseconds = performance.now() - startMs;
      const ip = socket.remoteAddress ?? '';
      answers.report({
        method,
        path: url,
        route: CHAIN_ROUTE,
        ip,
        node: kept.node,
        status: 200,
        bytes,
        milliseconds,
        isTimed: true,
      });
    };
    if (socket.writableLength === 0) {
      report();
    } else {
      // The client does not read: it runs until it does.
      running.begin(client, true);
      response.setTimeout(slowReaderMs);
      response.once('close', () => {
        running.end(client, true);
        report();
      });
    }
    return true;
  };
}
