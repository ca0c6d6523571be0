import type { Module } from '../fault.js';

/** What the build refuses. */
export const tools: Module = {
  name: 'tools',
  guards: 'docs/SECURITY.md#the-module',
  directory: 'tools',
  tests: ['tools/inspect-wasm'],
  faults: [
    {
      name: 'ships a module that imports anything',
      file: 'build/inspect-wasm.ts',
      find: String.raw`/^hal\.\w+$/`,
      replace: '/./',
    },
    {
      name: 'ships a module whose memory grows',
      file: 'build/inspect-wasm.ts',
      find: ' || memory.maximum !== 1',
      replace: '',
    },
    {
      name: 'ships a module with floating point in its types',
      file: 'build/inspect-wasm.ts',
      find: 'const FLOATING_TYPES = [0x7c, 0x7d];',
      replace: 'const FLOATING_TYPES: number[] = [];',
    },
    {
      name: 'ships a module with any instruction',
      file: 'build/inspect-wasm.ts',
      find: "if (kind !== 'plain') faults.push",
      replace: "if (kind === 'plain') continue;\n    else if (faults.length > 99) faults.push",
    },
    {
      name: 'ships a module with an allocator',
      file: 'build/compile-assembly.ts',
      find: 'this.allocatorFunctions = [...functions].map',
      replace: 'this.allocatorFunctions = [...functions].slice(99).map',
      tests: ['prove/compile-assembly'],
    },
  ],
};
