import { formatUsbIds, type UsbIds } from './usb-ids.js';

/** Where `zbc-signer udev-rules --install` writes the rule. */
export const UDEV_RULES_FILE = '/etc/udev/rules.d/70-zbc-signer.rules';

/** A rule that lets the user at the machine, and the group plugdev, open a device with these ids. */
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
