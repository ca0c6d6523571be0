import {
  CLA_SIGNER,
  INS_GET_APP_VERSION,
  INS_GET_PUBLIC_KEY,
  P1_SILENT,
} from '@zbc-signer/protocol/commands';

// Commands that every signer answers without its user's decision.

export const GET_APP_VERSION = Uint8Array.of(CLA_SIGNER, INS_GET_APP_VERSION, 0, 0, 0);
/** The command reads the key of account 0. */
export const GET_PUBLIC_KEY = Uint8Array.of(CLA_SIGNER, INS_GET_PUBLIC_KEY, P1_SILENT, 0, 4, 0, 0, 0, 0);
