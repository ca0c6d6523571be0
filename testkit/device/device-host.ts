import { type EmulatorServer, type EmulatorServerOptions, startEmulatorServer } from '@zbc-signer/emulator';

/** Starts an emulator with all its interfaces, each on a free port. */
export function startServer(options: EmulatorServerOptions = {}): Promise<EmulatorServer> {
  return startEmulatorServer({ apiPort: 'auto', apduPort: 'auto', ledgerPort: 'auto', ...options });
}
