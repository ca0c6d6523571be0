import { Device } from '#emulator/device/device.js';
import { loadFirmware } from '#emulator/device/firmware.js';
import { Platform } from '#emulator/device/platform.js';

/** A device with a seed of zeros, without the harness that keeps its commands in order. */
export function bareDevice(): Device {
  return new Device(loadFirmware(), new Platform(new Uint8Array(64), undefined));
}
