import { invalidInputError } from '@zbc-signer/chain';
import { SETTINGS_LENGTH } from '@zbc-signer/protocol/limits';
import type { KeystoreOptions } from '../device/keystore/keystore.js';
import { checkBytes, checkOptions } from '../options.js';
import '../device/webassembly.js';

/** Options of `Emulator.start`. */
export interface EmulatorOptions {
  /** A BIP-39 mnemonic, or `hex:` and 128 digits; `null` for a locked device. Default: the test mnemonic. */
  seed?: string | null | undefined;
  /**
   * A keystore in front of the signer, in place of `seed`: the device starts without a seed, and its sessions
   * are not traced, because their presses reveal the words. See restoreSeed.
   */
  keystore?: KeystoreOptions | undefined;
  /** The 16 bytes of stored settings at boot. */
  settings?: Uint8Array | undefined;
  /** A firmware that replaces the shipped one. */
  module?: WebAssembly.Module | undefined;
  /**
   * Directory in which the seen screens are recorded; see writeCoverageReport. An empty
   * string disables the recording. Default: the environment variable ZBC_SIGNER_COVERAGE.
   */
  coverage?: string | undefined;
  /**
   * A real device to test together with the emulator, whose buttons a person presses: `hid`,
   * `uart://host:port`, or any other device name that `openTransport` of @zbc-signer/host/node accepts. With
   * `null`, no device is tested. Default: the environment variable ZBC_SIGNER_DEVICE.
   */
  device?: string | null | undefined;
  /** Whether the session is traced, for `keepTrace`. Default: true, except with `keystore`. */
  trace?: boolean | undefined;
}

export const OPTIONS = {
  seed: true,
  keystore: true,
  settings: true,
  module: true,
  coverage: true,
  device: true,
  trace: true,
} as const satisfies Readonly<Record<keyof EmulatorOptions, true>>;

const KEYSTORE_OPTIONS: Readonly<Record<keyof KeystoreOptions, true>> = { noise: true, vault: true };

/** Throws UNKNOWN_OPTION or INVALID_INPUT. */
export function checkEmulatorOptions(options: EmulatorOptions): void {
  checkOptions(options, OPTIONS);
  if (options.keystore !== undefined) checkKeystore(options);
  if (options.settings !== undefined) checkBytes('settings', options.settings, SETTINGS_LENGTH);
}

function checkKeystore({ keystore, seed, trace }: EmulatorOptions): void {
  checkOptions(keystore!, KEYSTORE_OPTIONS);
  const { noise, vault } = keystore!;
  if (noise !== undefined) checkBytes('keystore.noise', noise);
  if (vault !== undefined && noise === undefined)
    throw invalidInputError('keystore.vault needs keystore.noise');
  if (seed !== undefined)
    throw invalidInputError(
      'seed and keystore exclude each other: a keystore makes its own seed, so leave out seed',
    );
  if (trace) throw invalidInputError('trace cannot be used with keystore');
}
