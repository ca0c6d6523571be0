import { DEVNET_PORT } from '../input/defaults.js';

// Numbers stay strings until input/values.ts reads them: none may pass through floating point.

export const JSON_OPTION = {
  json: { type: 'boolean', describe: 'print one JSON object, including errors' },
} as const;

/** The group of options of which a command requires one; `--help` lists them under this heading. */
export const ONE_OF = 'One of these:';

/** For the commands that run until Ctrl-C. */
export const JSON_READY_OPTION = {
  json: { type: 'boolean', global: false, describe: 'print one JSON line when ready' },
} as const;

export const DEVICE_OPTIONS = {
  device: {
    type: 'string',
    requiresArg: true,
    describe:
      'hid, usb, or http://, tcp:// or uart:// with host:port [ZBC_SIGNER_DEVICE, else configured, else hid]',
  },
  account: {
    type: 'string',
    requiresArg: true,
    describe: 'account index, 0 to 2147483647 [0]',
  },
} as const;

export const GATEWAY_OPTIONS = {
  api: {
    type: 'string',
    requiresArg: true,
    describe: `URL of the gateway [ZBC_SIGNER_API, else configured, else http://127.0.0.1:${DEVNET_PORT}]`,
  },
} as const;

/** For the commands that send a transaction. */
export const CHAIN_OPTIONS = {
  'named-chain': {
    type: 'boolean',
    describe: 'the chain that signers show as ZBC Devnet [a new chain of its own, or that of --data]',
  },
  'fee-scale': {
    type: 'string',
    requiresArg: true,
    describe: 'what the base of the minimum fee is multiplied by, 1 to 1000 [1]',
  },
} as const;

export const SENDING_OPTIONS = {
  fee: { type: 'string', requiresArg: true, describe: 'fee in coins [the minimum]' },
  'max-fee': {
    type: 'string',
    requiresArg: true,
    describe: 'highest fee to pay, in coins [configured, else 0.1]',
  },
  'pay-again': {
    type: 'boolean',
    describe: 'pay in spite of an earlier payment to this recipient that may have been made',
  },
  'allow-zero': { type: 'boolean', describe: 'allow an amount of 0' },
  message: { type: 'string', requiresArg: true, describe: 'message text, at most 256 bytes' },
  genesis: { type: 'string', requiresArg: true, describe: 'expected genesis hash; abort on mismatch' },
  'no-wait': { type: 'boolean', describe: 'return when the broadcast is accepted' },
  timeout: { type: 'string', requiresArg: true, describe: 'how long to wait after the approval [3m]' },
} as const;

export const ESCROW_OPTIONS = {
  'escrow-approver': { type: 'string', requiresArg: true, describe: 'account that approves the transfer' },
  'escrow-commission': { type: 'string', requiresArg: true, describe: "the approver's share, in coins [0]" },
  'escrow-timeout': {
    type: 'string',
    requiresArg: true,
    describe: 'time to decide: 2h, 3d, 2027-01-15T08:00:00Z or Unix seconds',
  },
  'escrow-instruction': { type: 'string', requiresArg: true, describe: 'text for the approver' },
  'escrow-multi-party': { type: 'boolean', describe: 'set the multi-party flag' },
} as const;
