import type { Module } from '../fault.js';

/** What the command line checks by itself. */
export const cli: Module = {
  name: 'cli',
  guards: 'docs/gateway/routes.md#relay-information',
  directory: 'cli/src',
  tests: ['cli/commands/queries'],
  faults: [
    {
      name: 'pays a relay of another chain',
      file: 'commands/chain/relay-check.ts',
      find: 'if (relayHash !== ownHash) throw',
      replace: 'if (relayHash.length !== ownHash.length) throw',
    },
  ],
};
