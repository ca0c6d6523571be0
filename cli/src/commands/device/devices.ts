import { cleanText } from '@zbc-signer/chain';
import { type ConnectedDevice, formatUsbIds, isTestId, listDevices } from '@zbc-signer/host/node';
import { parseUsbIds, USB_ID_OPTION } from '../../connection/device.js';
import { formatColumns } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';

const MAX_CELL = 64;

export const command = defineCommand({
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
