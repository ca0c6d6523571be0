/** Where `devnet` listens and every other command looks for a gateway, unless told otherwise. */
export const DEVNET_PORT = 8883;

/** Of the nodes of `devnet`, and of `node run`. */
export const DEVNET_NODE_PORT = 8884;
export const DEVNET_ARCHIVAL_PORT = 8885;

/** Of the `--api` option. */
export function defaultApi(): string {
  return process.env.ZBC_SIGNER_API ?? `http://127.0.0.1:${DEVNET_PORT}`;
}

/** Of the `--device` option. */
export function defaultDevice(): string {
  return process.env.ZBC_SIGNER_DEVICE ?? 'hid';
}

/** Holds the emulator's seed out of other people's sight. */
export const SEED_VARIABLE = 'ZBC_SIGNER_EMULATOR_SEED';
