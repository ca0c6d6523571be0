import { cleanText } from '@zbc-signer/chain';
import { openTransport } from '@zbc-signer/host/node';
import { BRIDGE_PORT } from '@zbc-signer/web';
import { explainListenError } from '../../errors/errors.js';
import { DEVNET_PORT, deviceSetting } from '../../input/config.js';
import { parseOrigin, parsePort } from '../../input/values.js';
import { formatJsonLine } from '../../output/json.js';
import type { Terminal } from '../../output/terminal.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS } from '../../parser/options.js';

/** The origins of a development network's wallet, which are allowed by default. */
const DEVNET_ORIGINS = [`http://127.0.0.1:${DEVNET_PORT}`, `http://localhost:${DEVNET_PORT}`];

export const command = defineCommand({
  options: {
    'allow-origin': {
      array: true,
      describe: `origin whose pages may request access; pages of other origins are refused [${DEVNET_ORIGINS.join(', ')}]`,
    },
    device: DEVICE_OPTIONS.device,
    port: {
      describe: `port to listen on; 0 picks a free one, but pages look only for the default [${BRIDGE_PORT}]`,
    },
  },
  examples: [['$0 bridge --allow-origin https://gateway.example', 'allow the wallet page of that gateway']],

  async run({ allowOrigin, device, port: wanted }, terminal) {
    const [{ startBridge }, { ConsentPrompt }] = await Promise.all([
      import('../../bridge/server.js'),
      import('../../bridge/consent.js'),
    ]);
    const port = parsePort('--port', wanted ?? `${BRIDGE_PORT}`);
    const allowedOrigins =
      allowOrigin?.map(origin => parseOrigin('--allow-origin', origin)) ?? DEVNET_ORIGINS;
    const prompt = new ConsentPrompt();
    const bridge = await startBridge({
      device: openTransport(deviceSetting(device).value),
      port,
      allowedOrigins,
      askUser: (request, signal) => prompt.ask(request, signal),
      onForeign: reportOnce(terminal),
    }).catch(error => {
      prompt.close();
      throw explainListenError(error, [{ option: '--port', port }]);
    });
    process.stdout.write(`${describe(bridge.url, allowedOrigins, terminal.json)}\n`);
    await terminal.interrupted();
    prompt.close();
    await bridge.close();
    return undefined;
  },
});

const MAX_REPORTED = 20;

/** Reports each foreign origin once, and only a limited number of them. */
function reportOnce(terminal: Terminal): (origin: string) => void {
  const reported = new Set<string>();
  return origin => {
    if (reported.has(origin) || reported.size >= MAX_REPORTED) return;
    reported.add(origin);
    terminal.warn(`Refused a page of ${cleanText(origin, 100)}; --allow-origin allows an origin.`);
  };
}

function describe(url: string, origins: readonly string[], json: boolean): string {
  if (json) return formatJsonLine({ ready: true, url, allowed_origins: origins });
  return [`Bridge  ${url}`, `Pages   ${origins.join(', ')}`, 'Ready. Ctrl-C stops it.'].join('\n');
}
