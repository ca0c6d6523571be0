import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { UDEV_RULES_FILE, udevRules } from '@zbc-signer/host/node';
import { parseUsbIds, USB_ID_OPTION } from '../../connection/device.js';
import { UsageError } from '../../errors/errors.js';
import { asRoot } from '../../errors/hints.js';
import { defineCommand } from '../../parser/command.js';

export const command = defineCommand({
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
