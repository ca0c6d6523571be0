import type { FastifyInstance } from 'fastify';
import type { Emulator } from './harness.js';
import { createHttpFace } from './http-face.js';
import { routeApdu } from './routes/apdu.js';
import { routeAutomation } from './routes/automation.js';
import { routeButton } from './routes/button.js';
import { routeEvents } from './routes/events.js';
import { routeFinger } from './routes/finger.js';
import { routeLedger } from './routes/ledger.js';
import { routePanel } from './routes/panel.js';
import { routeScreenshot } from './routes/screenshot.js';
import { routeSwagger } from './routes/swagger.js';
import { routeTicker } from './routes/ticker.js';

/** The API page first, since it describes those after it. */
const API_ROUTES = [
  routeSwagger,
  routePanel,
  routeApdu,
  routeAutomation,
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
