import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cleanText } from '@zbc-signer/chain';
import {
  type AppName,
  type ConnectedDevice,
  formatUsbIds,
  isTestId,
  listDevices,
  openTransport,
  type SignerVersion,
  UDEV_RULES_FILE,
  udevRules,
} from '@zbc-signer/host/node';
import { BRIDGE_PORT } from '@zbc-signer/web';
import { parseUsbIds, USB_ID_OPTION, withSigner } from '../connection/device.js';
import { explainListenError, UsageError } from '../errors/errors.js';
import { asRoot } from '../errors/hints.js';
import { DEVNET_PORT, deviceSetting } from '../input/config.js';
import { parseOrigin, parsePort } from '../input/values.js';
import { formatJsonLine } from '../output/json.js';
import { formatColumns, formatTable } from '../output/table.js';
import type { Outcome, Terminal } from '../output/terminal.js';
import { packageVersion } from '../package-version.js';
import { defineCommand } from '../parser/command.js';
import { DEVICE_OPTIONS } from '../parser/options.js';

const MAX_CELL = 64;

const devices = defineCommand({
  options: {
    transport: {
      choices: ['hid', 'usb'] as const,
      describe: 'list the paths of the HID driver, or those of the USB bus [hid]',
    },
    ...USB_ID_OPTION,
  },
  examples: [['$0 devices', 'the devices that are plugged in']],

  async run({ usbId, transport }, terminal) {
    const ids = parseUsbIds(usbId);
    if (isTestId(ids)) terminal.report(`USB id ${formatUsbIds(ids)} is a test id, not for products.`);
    const devices = await listDevices({ ...ids, transport });
    return {
      json: { devices: devices.map(deviceJson) },
      text: formatColumns(
        ['Serial number', 'Product', 'USB id', 'Path'],
        devices.map(cells),
        'No device is plugged in.',
      ),
    };
  },
});

function cells(device: ConnectedDevice): string[] {
  const { serialNumber = '(unreadable)', product = '', path } = device;
  return [serialNumber, product, formatUsbIds(device), path].map(cell => cleanText(cell, MAX_CELL));
}

function deviceJson(device: ConnectedDevice): Record<string, unknown> {
  const { path, serialNumber = null, product = null } = device;
  return { path, serial_number: serialNumber, product, usb_id: formatUsbIds(device) };
}

const version = defineCommand({
  options: { device: DEVICE_OPTIONS.device },
  examples: [['$0 version', 'the device must run the ZBC app']],

  async run({ device }, { signal }) {
    return withSigner(device, async signer => {
      const app = await signer.getAppName({ signal });
      const reported = await signer.getVersion({ signal });
      const antiExfil = await signer.hasAntiExfil({ signal });
      return viewVersion(app, { ...reported, antiExfil }, packageVersion());
    });
  },
});

function viewVersion(app: AppName, signer: SignerVersion & { antiExfil: boolean }, host: string): Outcome {
  return {
    json: {
      host_version: host,
      app_name: app.name,
      app_version: app.version,
      protocol_version: signer.protocolVersion,
      firmware_version: signer.firmwareVersion,
      supported_types: signer.supportedTypes,
      max_transaction_size: signer.maxTransaction,
      max_message_size: signer.maxMessage,
      max_instruction_size: signer.maxInstruction,
      refuses_unknown_chains: signer.refusesUnknownChains,
      contacts_only: signer.contactsOnly,
      anti_exfil: signer.antiExfil,
      locked: signer.locked,
    },
    text: formatTable([
      ['zbc-signer', host],
      ['Device app', `${app.name} ${app.version}`],
      ['Firmware', signer.firmwareVersion],
      ['Protocol', `${signer.protocolVersion}`],
      ['Transaction types', signer.supportedTypes.join(', ')],
      ['Largest transaction', `${signer.maxTransaction} bytes`],
      ['Longest message', `${signer.maxMessage} bytes`],
      ['Longest instruction', `${signer.maxInstruction} bytes`],
      ['Unknown chains', signer.refusesUnknownChains ? 'refused' : 'allowed'],
      ['Contacts only', signer.contactsOnly ? 'yes' : 'no'],
      ['Anti-exfil', signer.antiExfil ? 'yes' : 'no'],
      ['Locked', signer.locked ? 'yes' : 'no'],
    ]),
  };
}

const udevRulesCommand = defineCommand({
  options: {
    install: { type: 'boolean', describe: `write ${UDEV_RULES_FILE} and reload the rules; run as root` },
    ...USB_ID_OPTION,
  },
  examples: [
    [asRoot('udev-rules --install'), 'then plug the device in again'],
    ['$0 udev-rules', 'print the rules'],
  ],

  async run({ install, usbId }) {
    const rules = udevRules(parseUsbIds(usbId));
    if (!install) return { json: { file: UDEV_RULES_FILE, rules }, text: rules.trimEnd() };
    installRules(rules);
    return {
      json: { file: UDEV_RULES_FILE, rules },
      text: `Installed ${UDEV_RULES_FILE}. Plug the device in again.`,
    };
  },
});

function installRules(rules: string): void {
  try {
    writeFileSync(UDEV_RULES_FILE, rules);
    execFileSync('udevadm', ['control', '--reload'], { stdio: 'ignore' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') {
      const hint = `Run \`${asRoot('udev-rules --install')}\`.`;
      throw new UsageError(`cannot write ${UDEV_RULES_FILE}: permission denied`, hint);
    }
    throw new UsageError(`cannot install the rules: ${message}`);
  }
}

/** The origins of a development network's wallet, which are allowed by default. */
const DEVNET_ORIGINS = [`http://127.0.0.1:${DEVNET_PORT}`, `http://localhost:${DEVNET_PORT}`];

const bridgeCommand = defineCommand({
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
      import('../bridge/server.js'),
      import('../bridge/consent.js'),
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

export const commands = { devices, version, 'udev-rules': udevRulesCommand, bridge: bridgeCommand };
