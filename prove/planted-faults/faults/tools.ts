import type { Module } from '../fault.js';

/** Faults in the build's checks. */
export const tools: Module = {
  name: 'tools',
  guards: 'docs/SECURITY.md#the-module',
  directory: 'tools',
  tests: ['tools/inspect-wasm'],
  testsBy: {
    'build/compile-assembly.ts': ['prove/compile-assembly'],
  },
  faults: {
    'build/inspect-wasm.ts': {
      'ships a module that imports anything': [String.raw`/^hal\.\w+$/`, '/./'],
      'ships a module whose memory grows': ' || memory.maximum !== 1',
      'ships a module with floating point in its types': [
        'const FLOATING_TYPES = [0x7c, 0x7d];',
        'const FLOATING_TYPES: number[] = [];',
      ],
      'ships a module with any instruction': [
        "if (kind !== 'plain') faults.push",
        "if (kind === 'plain') continue;\n    else if (faults.length > 99) faults.push",
      ],
    },
    'build/compile-assembly.ts': {
      'ships a module with an allocator': ['[...functions].map', '[...functions].slice(99).map'],
    },
  },
};
