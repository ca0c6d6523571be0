import type { FastifyInstance } from 'fastify';
import type { Emulator } from './harness.js';
import { createHttpFace } from './http-face.js';
import { routeApdu } from './routes/apdu.js';
import { routeAutomation } from './routes/automation.js';
import { routeButton } from './routes/button.js';
import { routeEvents } from './routes/events.js';
import { routeFinger } from './routes/finger.js';
import { routeHome } from './routes/home.js';
import { routeLedger } from './routes/ledger.js';
import { routeScreenshot } from './routes/screenshot.js';
import { routeSwagger } from './routes/swagger.js';
import { routeTicker } from './routes/ticker.js';

/** The API page first, since it describes those after it. */
const API_ROUTES = [
  routeSwagger,
  routeHome,
  routeApdu,
  routeAutomation,
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
