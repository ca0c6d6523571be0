// Optional companions of an emulator, loaded on first use: a real device, and a recorder of coverage.
import { cleanText } from '@zbc-signer/chain';
import type { CoverageRecorder } from '../coverage/recorder.js';
import type { DeviceFollower } from './device-follower.js';
import type { EmulatorOptions } from './emulator-options.js';

/** Names the coverage directory for clients that cannot pass an option. */
export const COVERAGE_VARIABLE = 'ZBC_SIGNER_COVERAGE';
/** Names the real device for tests. */
const DEVICE_VARIABLE = 'ZBC_SIGNER_DEVICE';

let isDeviceNamed = false;

/** Prints once which device the environment variable names, because it may have been set by mistake. */
function nameDevice(): string {
  const device = process.env[DEVICE_VARIABLE] ?? '';
  if (device === '' || isDeviceNamed) return device;
  isDeviceNamed = true;
  process.stderr.write(`These tests run on the device ${cleanText(device)}, as ${DEVICE_VARIABLE} says.\n`);
  return device;
}

export async function openDeviceFollower(options: EmulatorOptions): Promise<DeviceFollower | undefined> {
  const { device = nameDevice() } = options;
  if (device === null || device === '') return undefined;
  const module = await import('./open-device-follower.js');
  return module.openDeviceFollower(options, device);
}

export async function openRecorder(
  directory = process.env[COVERAGE_VARIABLE] ?? '',
): Promise<CoverageRecorder | undefined> {
  if (directory === '') return undefined;
  const { CoverageRecorder } = await import('../coverage/recorder.js');
  return new CoverageRecorder(directory);
}
