/** Where `devnet` listens and every other command looks for a gateway. */
export const DEVNET_PORT = 8883;

/** Where the nodes of `devnet`, and of `node run`, listen. */
export const DEVNET_NODE_PORT = 8884;
export const DEVNET_ARCHIVAL_PORT = 8885;

/** Keeps the emulator's seed out of the process list, which other users can read. */
export const SEED_VARIABLE = 'ZBC_SIGNER_EMULATOR_SEED';
