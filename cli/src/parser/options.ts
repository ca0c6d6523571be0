import { DEVNET_PORT } from '../input/config.js';

export const DEVICE_OPTIONS = {
  device: {
    describe:
      'hid, usb, or http://, tcp://, uart:// or usbip:// with host:port [ZBC_SIGNER_DEVICE, otherwise config.json, otherwise hid]',
  },
  account: {
    describe: 'account index, 0 to 2147483647 [0]',
  },
} as const;

export const GATEWAY_OPTIONS = {
  api: {
    describe: `URL of the gateway [ZBC_SIGNER_API, otherwise config.json, otherwise http://127.0.0.1:${DEVNET_PORT}]`,
  },
} as const;

/** Options of the commands that run a full node. */
export const CHAIN_OPTIONS = {
  'named-chain': {
    type: 'boolean',
    describe: 'use the chain that signers show as ZBC Devnet [a new chain, or that of --data]',
  },
  'fee-scale': {
    describe: 'factor for the base of the minimum fee, 1 to 1000 [1]',
  },
} as const;

/** What `--anti-exfil` can be. */
export const ANTI_EXFIL = ['require', 'prefer', 'off'] as const;

/** The options of commands that ask a device for a signature. */
export const SIGNING_OPTIONS = {
  'anti-exfil': {
    choices: ANTI_EXFIL,
    describe:
      'check that the signature carries no hidden data; prefer: except with a device that never could [anti_exfil in config.json, otherwise prefer]',
  },
  'allow-withheld': {
    type: 'boolean',
    describe: 'sign although the device withheld eight signatures or more',
  },
} as const;

/** The options of commands that send a transaction. */
export const SENDING_OPTIONS = {
  fee: { describe: 'fee in coins [the minimum]' },
  'max-fee': {
    describe: 'maximum fee in coins [max_fee in config.json, otherwise 0.1]',
  },
  'pay-again': {
    type: 'boolean',
    describe: 'pay even if an earlier payment to this recipient may have been made',
  },
  'allow-zero': { type: 'boolean', describe: 'allow an amount of 0' },
  message: { describe: 'message text, at most 256 bytes' },
  genesis: { describe: 'expected genesis hash; abort on mismatch' },
  'no-wait': {
    type: 'boolean',
    describe:
      'return when the broadcast is accepted; to pay this recipient again, first run `payments resume`',
  },
  timeout: { describe: 'how long to wait for the confirmation [3m]' },
} as const;

/** The options of commands that build a token transfer. */
export const FEE_IN_TOKEN_OPTIONS = {
  'fee-in-token': {
    choices: ['yes', 'no'] as const,
    describe: 'set the fee-in-token flag of the transaction (--fee is in coins in any case)',
  },
  'allow-fee-in-token': {
    type: 'boolean',
    describe: 'allow the flag to be yes, because the nodes accept that',
  },
} as const;

export const ESCROW_OPTIONS = {
  'escrow-approver': { describe: 'account that approves the transfer, or the name of a contact' },
  'escrow-commission': { describe: "the approver's share, in coins [0]" },
  'escrow-timeout': {
    describe: 'time until which the approver can decide: 2h, 3d, 2027-01-15T08:00:00Z or Unix seconds',
  },
  'escrow-instruction': { describe: 'text for the approver' },
  'escrow-multi-party': { type: 'boolean', describe: 'set the multi-party flag of the escrow' },
} as const;
