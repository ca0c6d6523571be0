import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { formatUsbIds, type UsbIds } from '@zbc-signer/host/node';
import { UsageError } from '../errors/errors.js';
import { parseUsbIds, USB_ID_OPTION } from '../input/usb-ids.js';
import { defineCommand } from '../parser/command.js';
import { JSON_OPTION } from '../parser/options.js';

const FILE = '/etc/udev/rules.d/70-zbc-signer.rules';

export const command = defineCommand({
  configure: yargs =>
    yargs
      .options({
        install: { type: 'boolean', describe: `write ${FILE} and reload the rules; run as root` },
        ...USB_ID_OPTION,
        ...JSON_OPTION,
      })
      .example('sudo $0 udev-rules --install', 'then plug the device in again')
      .example('$0 udev-rules', 'print the rules'),

  async run({ install, usbId }) {
    const rules = udevRules(parseUsbIds(usbId));
    if (!install) return { json: { file: FILE, rules }, text: rules.trimEnd() };
    installRules(rules);
    return { json: { file: FILE, rules }, text: `Installed ${FILE}. Plug the device in again.` };
  },
});

/** Linux lets the user at the machine, and the group plugdev, open a device with these ids. */
export function udevRules(ids: UsbIds): string {
  const [vendor, product] = formatUsbIds(ids).split(':');
  const access = 'MODE="0660", GROUP="plugdev", TAG+="uaccess"';
  return [
    '# ZBC signer: HID, and the vendor interface for WebUSB.',
    `KERNEL=="hidraw*", SUBSYSTEM=="hidraw", ATTRS{idVendor}=="${vendor}", ATTRS{idProduct}=="${product}", ${access}`,
    `SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="${vendor}", ATTR{idProduct}=="${product}", ${access}`,
    '',
  ].join('\n');
}

function installRules(rules: string): void {
  try {
    writeFileSync(FILE, rules);
    execFileSync('udevadm', ['control', '--reload'], { stdio: 'ignore' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') throw new UsageError(`cannot write ${FILE}: permission denied; run it with sudo`);
    throw new UsageError(`cannot install the rules: ${message}`);
  }
}
