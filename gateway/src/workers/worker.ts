// A worker process: a gateway that shares its port with other workers and is controlled by the primary.
import { ConfigError } from '../base/errors.js';
import { type Gateway, type PreparedReload, startGateway } from '../gateway.js';
import { type GatewayLog, openLog } from '../monitoring/log.js';
import { type Command, isCommand, type Report, refusalOf } from './messages.js';
import { readCountsOfAll, reloadAll } from './requests.js';

let gateway: Gateway | undefined;
let log: GatewayLog | undefined;
let prepared: PreparedReload | undefined;

async function start({ config, certificate, logLevel }: Extract<Command, { kind: 'start' }>): Promise<void> {
  log = openLog(logLevel);
  try {
    const worker = { ...(certificate && { certificate }), readCounts: readCountsOfAll, reload: reloadAll };
    gateway = await startGateway(config, { onError: log.onError, logger: log.options, worker });
    report({ kind: 'ready', url: gateway.url });
  } catch (error) {
    const code = error instanceof ConfigError ? error.code : undefined;
    report({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) });
  }
}

async function prepare(command: Extract<Command, { kind: 'prepare-reload' }>): Promise<void> {
  const { requestId, config, certificate } = command;
  try {
    prepared = await gateway?.prepare(config, certificate);
    report({ kind: 'reload-prepared', requestId, refusal: undefined });
  } catch (error) {
    report({ kind: 'reload-prepared', requestId, refusal: refusalOf(error) });
  }
}

function endReload(isWanted: boolean): void {
  if (isWanted) {
    prepared?.commit();
  } else {
    prepared?.abandon().catch(log?.onError);
  }
  prepared = undefined;
}

async function stop(): Promise<void> {
  await gateway?.stop();
  await log?.close();
  // The channel to the primary keeps the process alive.
  process.exit(0);
}

function report(message: Report): void {
  process.send?.(message);
}

process.on('message', (message: unknown) => {
  if (!isCommand(message)) return;
  if (message.kind === 'start') void start(message);
  if (message.kind === 'stop') void stop();
  if (message.kind === 'report-counts' && gateway !== undefined) {
    const counts = gateway.counts(message.withHistory);
    report({ kind: 'counts', requestId: message.requestId, counts });
  }
  if (message.kind === 'prepare-reload') void prepare(message);
  if (message.kind === 'end-reload') endReload(message.isWanted);
});
process.on('SIGTERM', () => void stop());
// A terminal sends these to workers too; only the primary acts on them.
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);
report({ kind: 'listening-for-commands' });
