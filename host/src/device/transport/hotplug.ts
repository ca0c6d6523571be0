import { existsSync } from 'node:fs';

/** The socket of a running udevd, which announces devices once its rules have been applied. */
const UDEV_CONTROL = '/run/udev/control';

/** Calls `onChange` for every USB device that is plugged in or out; the function returned ends that. */
export type Hotplug = (onChange: () => void) => () => void;

/** The system's own announcements, or undefined where there are none: without the package usb, or udevd. */
export async function loadHotplug(): Promise<Hotplug | undefined> {
  if (process.platform === 'linux' && !existsSync(UDEV_CONTROL)) return undefined;
  try {
    const { usb } = await import('usb');
    // The package does not handle the failure of a listing that it begins itself.
    await usb.getDevices();
    return onChange => {
      usb.addEventListener('connect', onChange);
      usb.addEventListener('disconnect', onChange);
      return () => {
        usb.removeEventListener('connect', onChange);
        usb.removeEventListener('disconnect', onChange);
      };
    };
  } catch {
    return undefined;
  }
}
