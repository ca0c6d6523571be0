import type { FastifyInstance } from 'fastify';
import type { CommandLog } from '../command-log/command-log.js';
import type { Emulator } from '../harness/emulator.js';
import { routeAutomation } from './automation.js';
import type { AllowedClients } from './cors.js';
import { createHttpServer } from './http-server.js';
import { routeSwagger } from './openapi.js';
import { routeApdu, routeLedger } from './routes/commands.js';
import { routeButton, routeFinger, routeRestart, routeScreenshot, routeTicker } from './routes/device.js';
import { type EventLog, routeEvents } from './routes/events.js';
import { routePanel } from './routes/panel.js';
import { Ticker } from './ticker.js';

const API_ROUTES = [
  routeApdu,
  routeAutomation,
  routeButton,
  routeFinger,
  routeRestart,
  routeScreenshot,
  routeTicker,
];

/** The REST API, with logs that began with the emulator. `host` is the host on which it listens. */
export function createApiServer(
  emulator: Emulator,
  [commands, events]: readonly [CommandLog, EventLog],
  host?: string,
  allowed?: AllowedClients,
): FastifyInstance {
  const server = createHttpServer(host, allowed);
  const ticker = new Ticker(emulator);
  // This comes first, because it describes the routes added after it.
  routeSwagger(server);
  routePanel(server, emulator, commands);
  routeEvents(server, emulator, events);
  for (const route of API_ROUTES) route(server, emulator, ticker);
  return server;
}

/** The server for Ledger's HTTP transport. `host` is the host on which it listens. */
export function createLedgerServer(
  emulator: Emulator,
  host?: string,
  { allowedHosts }: AllowedClients = {},
): FastifyInstance {
  const server = createHttpServer(host, { allowedHosts });
  routeLedger(server, emulator);
  return server;
}
