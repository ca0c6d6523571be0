import type { Module } from '../fault.js';

/** What the command line checks by itself. */
export const cli: Module = {
  name: 'cli',
  directory: 'cli/src',
  tests: ['cli/commands/queries'],
  faults: [
    {
      name: 'pays a relay of another chain',
      file: 'commands/relay/check.ts',
      find: 'if (relay.genesisHash !== genesisHash) throw',
      replace: 'if (relay.genesisHash.length !== genesisHash.length) throw',
    },
  ],
};
