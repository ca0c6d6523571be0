// What may be beside an emulator, loaded only when it is used: a real device, and a recorder of coverage.
import { cleanText } from '@zbc-signer/chain';
import type { CoverageRecorder } from '../coverage/recorder.js';
import type { Attendant } from './attendant.js';
import type { EmulatorOptions } from './emulator-options.js';

/** Names the directory of coverage for clients that cannot give an option. */
export const COVERAGE_VARIABLE = 'ZBC_SIGNER_COVERAGE';
/** Names the real device on which tests run. */
const DEVICE_VARIABLE = 'ZBC_SIGNER_DEVICE';

let isDeviceNamed = false;

/** The device of the environment, which nobody may remember to have set: said once. */
function nameDevice(): string {
  const device = process.env[DEVICE_VARIABLE] ?? '';
  if (device === '' || isDeviceNamed) return device;
  isDeviceNamed = true;
  process.stderr.write(`These tests run on the device ${cleanText(device)}, as ${DEVICE_VARIABLE} says.\n`);
  return device;
}

export async function openAttendant(options: EmulatorOptions): Promise<Attendant | undefined> {
  const { device = nameDevice() } = options;
  if (device === null || device === '') return undefined;
  const attending = await import('./open-attendant.js');
  return attending.openAttendant(options, device);
}

export async function openRecorder(
  directory = process.env[COVERAGE_VARIABLE] ?? '',
): Promise<CoverageRecorder | undefined> {
  if (directory === '') return undefined;
  const { CoverageRecorder } = await import('../coverage/recorder.js');
  return CoverageRecorder.open(directory);
}
