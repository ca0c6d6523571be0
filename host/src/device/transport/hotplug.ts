import { existsSync } from 'node:fs';

/** The socket of a running udevd, which announces devices once its rules have been applied. */
const UDEV_CONTROL = '/run/udev/control';

/**
 * Calls `onChange` for every USB device that is connected or disconnected, until the returned function is
 * called.
 */
export type Hotplug = (onChange: () => void) => () => void;

/** The system's announcements; undefined without the package usb, or without udevd. */
export async function loadHotplug(): Promise<Hotplug | undefined> {
  if (process.platform === 'linux' && !existsSync(UDEV_CONTROL)) return undefined;
  try {
    const { usb } = await import('usb');
    // The first listing of devices is made here, because the package would not handle its failure.
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
