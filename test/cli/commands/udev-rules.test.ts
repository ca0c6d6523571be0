import { runCli } from '../../../testkit/process/cli.js';

test('prints a rule for the HID interface and one for the vendor interface', async () => {
  const { code, stdout } = await runCli(['udev-rules']);
  expect(code).toBe(0);
  const rules = stdout.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  expect(rules).toEqual([
    'KERNEL=="hidraw*", SUBSYSTEM=="hidraw", ATTRS{idVendor}=="1209", ATTRS{idProduct}=="0001", ' +
      'MODE="0660", GROUP="plugdev", TAG+="uaccess"',
    'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="1209", ATTR{idProduct}=="0001", ' +
      'MODE="0660", GROUP="plugdev", TAG+="uaccess"',
  ]);
});

test('prints the given USB id, and rejects an invalid one', async () => {
  expect((await runCli(['udev-rules', '--usb-id', 'ABCD:0012'])).stdout).toContain('"abcd"');
  const { code, stderr } = await runCli(['udev-rules', '--usb-id', '1209']);
  expect(code).toBe(2);
  expect(stderr).toContain('--usb-id must be');
});
