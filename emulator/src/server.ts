import type { FastifyInstance } from 'fastify';
import type { Emulator } from './harness.js';
import { createHttpFace } from './http-face.js';
import { routeApdu } from './routes/apdu.js';
import { routeButton } from './routes/button.js';
import { routeEvents } from './routes/events.js';
import { routeFinger } from './routes/finger.js';
import { routeHome } from './routes/home.js';
import { routeLedger } from './routes/ledger.js';
import { routeScreenshot } from './routes/screenshot.js';
import { routeTicker } from './routes/ticker.js';

const API_ROUTES = [
  routeHome,
  routeApdu,
  routeButton,
  routeEvents,
  routeFinger,
  routeScreenshot,
  routeTicker,
];

/** The REST face of existing test tools, one file a resource in routes/. Not listening yet. */
export function createApiServer(emulator: Emulator): FastifyInstance {
  const server = createHttpFace();
  for (const route of API_ROUTES) route(server, emulator);
  return server;
}

/** The face of Ledger's HTTP transport. Not listening yet. */
export function createLedgerServer(emulator: Emulator): FastifyInstance {
  const server = createHttpFace();
  routeLedger(server, emulator);
  return server;
}
