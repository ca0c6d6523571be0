// A worker process: a gateway that shares its port with the others and does as the primary says.
import { ConfigError } from '../errors.js';
import { type Gateway, startGateway } from '../gateway.js';
import { type GatewayLog, openLog } from '../monitoring/log.js';
import { isOrder, type Order, type Report } from './messages.js';
import { readTrafficOfAll } from './traffic-question.js';

let gateway: Gateway | undefined;
let log: GatewayLog | undefined;

async function start({ config, certificate, logLevel }: Extract<Order, { kind: 'start' }>): Promise<void> {
  log = openLog(logLevel);
  try {
    const worker = { ...(certificate && { certificate }), readTraffic: readTrafficOfAll };
    gateway = await startGateway(config, { onError: log.onError, logger: log.options, worker });
    report({ kind: 'ready', url: gateway.url });
  } catch (error) {
    const code = error instanceof ConfigError ? error.code : undefined;
    report({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) });
  }
}

async function stop(): Promise<void> {
  await gateway?.stop();
  // The channel to the primary would keep the process.
  process.exit(0);
}

function report(message: Report): void {
  process.send?.(message);
}

process.on('message', (message: unknown) => {
  if (!isOrder(message)) return;
  if (message.kind === 'start') void start(message);
  if (message.kind === 'stop') void stop();
  if (message.kind === 'tell-traffic' && gateway !== undefined) {
    report({ kind: 'traffic', question: message.question, counts: gateway.context.traffic.counts() });
  }
  if (message.kind === 'renew') void gateway?.renewCertificate(message.certificate).catch(log?.onError);
});
process.on('SIGTERM', () => void stop());
// A terminal sends these to the workers too, but it is the primary that acts on them.
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);
report({ kind: 'listening-for-orders' });
