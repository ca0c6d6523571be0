import type { FastifyInstance } from 'fastify';
import type { Emulator } from './harness.js';
import { createHttpFace } from './http-face.js';
import { routeApdu } from './routes/apdu.js';
import { routeButton } from './routes/button.js';
import { routeEvents } from './routes/events.js';
import { routeFinger } from './routes/finger.js';
import { routeLedger } from './routes/ledger.js';
import { routePanel } from './routes/panel.js';
import { routeScreenshot } from './routes/screenshot.js';
import { routeTicker } from './routes/ticker.js';

const API_ROUTES = [
  routePanel,
  routeApdu,
  routeButton,
  routeEvents,
  routeFinger,
  routeScreenshot,
  routeTicker,
];

/** The REST face of existing test tools, one file a resource in routes/; `host` is what it will be bound to. */
export function createApiServer(emulator: Emulator, host?: string): FastifyInstance {
  const server = createHttpFace(host);
  for (const route of API_ROUTES) route(server, emulator);
  return server;
}

/** The face of Ledger's HTTP transport; `host` is what it will be bound to. */
export function createLedgerServer(emulator: Emulator, host?: string): FastifyInstance {
  const server = createHttpFace(host);
  routeLedger(server, emulator);
  return server;
}
