// Runs in the guest: Chromium, whose DevTools, gateway and cable the outer test controls.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { connect, createServer as createRelay } from 'node:net';
import { attach, detach, HOST_ADDRESS } from '../../../testkit/guest/attach.js';

const OWN_DEVTOOLS_PORT = 9222;
const SWITCHES = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--disable-breakpad',
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  '--disable-features=SpareRendererForSitePerProcess,Translate,OptimizationHints,MediaRouter',
  '--renderer-process-limit=1',
  '--js-flags=--jitless',
  '--window-size=640,480',
  '--user-data-dir=/run/profile',
  `--remote-debugging-port=${OWN_DEVTOOLS_PORT}`,
];

function relay(listen: { host: string; port: number }, to: { host: string; port: number }): void {
  createRelay(from => {
    const onward = connect(to);
    from.pipe(onward).pipe(from);
    for (const [one, other] of [
      [from, onward],
      [onward, from],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  }).listen(listen);
}

/** The hub port of the attached emulator. */
let hubPort: number | undefined;

async function move(path: string): Promise<void> {
  const [, action, port] = path.split('/');
  if (action === 'plug') hubPort = await attach(HOST_ADDRESS, Number(port));
  if (action === 'unplug') detach(hubPort!);
  if (action === 'end') setImmediate(() => process.exit(0));
}

const [chromium, ...ports] = process.argv.slice(2) as [string, string, string, string];
const [gatewayPort, devtoolsPort, cablePort] = ports.map(Number) as [number, number, number];
// The page's origin is on this machine, as for a user of `zbc-signer devnet`.
relay({ host: '127.0.0.1', port: gatewayPort }, { host: HOST_ADDRESS, port: gatewayPort });
relay({ host: '0.0.0.0', port: devtoolsPort }, { host: '127.0.0.1', port: OWN_DEVTOOLS_PORT });
createServer((request, response) => {
  move(request.url!).then(
    () => response.end(),
    error => response.writeHead(500).end(String(error)),
  );
}).listen(cablePort);
spawn(chromium, SWITCHES, { stdio: ['ignore', 'ignore', 'inherit'] }).on('exit', () => process.exit(1));
