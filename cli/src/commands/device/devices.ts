import { cleanText } from '@zbc-signer/chain';
import {
  type ConnectedDevice,
  formatUsbIds,
  isTestId,
  listDevices,
  watchDevices,
} from '@zbc-signer/host/node';
import { parseUsbIds, USB_ID_OPTION } from '../../connection/device.js';
import { formatJsonLine } from '../../output/json.js';
import { formatColumns } from '../../output/table.js';
import type { Terminal } from '../../output/terminal.js';
import { defineCommand } from '../../parser/command.js';

const MAX_CELL = 64;

export const command = defineCommand({
  options: {
    transport: {
      choices: ['hid', 'usb'] as const,
      describe: 'list by the HID driver or by the vendor interface [hid]',
    },
    watch: { type: 'boolean', describe: 'print each device that is plugged in or out, until Ctrl-C' },
    ...USB_ID_OPTION,
  },
  examples: [
    ['$0 devices', 'the devices that are plugged in'],
    ['$0 devices --watch --json', 'one JSON object a line for each change'],
  ],

  async run({ watch, usbId, transport }, terminal) {
    const ids = parseUsbIds(usbId);
    if (isTestId(ids)) terminal.report(`USB id ${formatUsbIds(ids)} is a test id, not for products.`);
    if (watch) return watchUntilInterrupted({ ...ids, transport, signal: terminal.signal }, terminal);
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

async function watchUntilInterrupted(
  options: Parameters<typeof watchDevices>[0],
  terminal: Terminal,
): Promise<undefined> {
  for await (const { type, device } of watchDevices(options)) {
    const line = terminal.json
      ? formatJsonLine({ event: type, ...deviceJson(device) })
      : [type.padEnd('disconnected'.length), ...cells(device)].join('  ');
    process.stdout.write(`${line}\n`);
  }
}

function cells(device: ConnectedDevice): string[] {
  const { serialNumber = '(unreadable)', product = '', path } = device;
  return [serialNumber, product, formatUsbIds(device), path].map(cell => cleanText(cell, MAX_CELL));
}

function deviceJson(device: ConnectedDevice): Record<string, unknown> {
  const { path, serialNumber = null, product = null } = device;
  return { path, serial_number: serialNumber, product, usb_id: formatUsbIds(device) };
}
