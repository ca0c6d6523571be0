import { DEVNET_PORT } from './defaults.js';

// Numbers stay strings until a parser of our own has read them: none may pass through floating point.

export const JSON_OPTION = {
  json: { type: 'boolean', describe: 'one JSON object on stdout, errors too' },
} as const;

export const DEVICE_OPTIONS = {
  device: {
    type: 'string',
    requiresArg: true,
    describe: 'hid, http://host:port or tcp://host:port [ZBC_SIGNER_DEVICE, else hid]',
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
    describe: `the gateway's address [ZBC_SIGNER_API, else http://127.0.0.1:${DEVNET_PORT}]`,
  },
} as const;

/** Of the commands that send a transaction. */
export const SENDING_OPTIONS = {
  fee: { type: 'string', requiresArg: true, describe: 'fee in coins [the minimum]' },
  message: { type: 'string', requiresArg: true, describe: 'text for the recipient, at most 256 bytes' },
  genesis: {
    type: 'string',
    requiresArg: true,
    describe: 'genesis hash that the gateway must have, or it is the wrong chain',
  },
  'no-wait': { type: 'boolean', describe: 'return when the broadcast is accepted' },
  timeout: { type: 'string', requiresArg: true, describe: 'how long to wait for confirmation [3m]' },
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
