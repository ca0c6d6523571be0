import type { FastifyInstance } from 'fastify';
import type { Emulator } from '../harness/emulator.js';
import type { AllowedClients } from './cors.js';
import { createHttpServer } from './http-server.js';
import { routeApdu } from './routes/apdu.js';
import { routeAutomation } from './routes/automation.js';
import { routeButton } from './routes/button.js';
import { routeEvents } from './routes/events.js';
import { routeFinger } from './routes/finger.js';
import { routeLedger } from './routes/ledger.js';
import { routePanel } from './routes/panel.js';
import { routeRestart } from './routes/restart.js';
import { routeScreenshot } from './routes/screenshot.js';
import { routeSwagger } from './routes/swagger.js';
import { routeTicker } from './routes/ticker.js';
import { Ticker } from './ticker.js';

/** The API page comes first: it describes the routes added after it. */
const API_ROUTES = [
  routeSwagger,
  routePanel,
  routeApdu,
  routeAutomation,
  routeButton,
  routeEvents,
  routeFinger,
  routeRestart,
  routeScreenshot,
  routeTicker,
];

/** The REST API, one file a resource in routes/; `host` is the host it will listen on. */
export function createApiServer(
  emulator: Emulator,
  host?: string,
  allowed?: AllowedClients,
): FastifyInstance {
  const server = createHttpServer(host, allowed);
  const ticker = new Ticker(emulator);
  for (const route of API_ROUTES) route(server, emulator, ticker);
  return server;
}

/** The server for Ledger's HTTP transport; `host` is the host it will listen on. */
export function createLedgerServer(
  emulator: Emulator,
  host?: string,
  { allowedHosts }: AllowedClients = {},
): FastifyInstance {
  const server = createHttpServer(host, { allowedHosts });
  routeLedger(server, emulator);
  return server;
}
