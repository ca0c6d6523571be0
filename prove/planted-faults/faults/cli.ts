import type { Module } from '../fault.js';

/** Faults in the command line's own checks. */
export const cli: Module = {
  name: 'cli',
  guards: 'docs/gateway/routes.md#relay-information',
  directory: 'cli/src',
  tests: ['cli/commands/queries'],
  faults: {
    'commands/chain/relay-check.ts': {
      'pays a relay of another chain': ['(relayHash !== ownHash)', '(relayHash.length !== ownHash.length)'],
    },
  },
};
