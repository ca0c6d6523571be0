import type { Module } from '../fault.js';

/** Faults in the build's checks. */
export const tools: Module = {
  name: 'tools',
  guards: 'docs/THREATS.md#the-module',
  directory: 'tools',
  elsewhere:
    'make test-node and make prove: the module that the build has made was inspected by the build itself, which fails.',
  tests: ['tools/inspect-wasm'],
  testsBy: {
    'build/compile-assembly.ts': ['prove/compile-assembly'],
    'bundle/bundle-licences.ts': ['tools/sbom'],
    'release/sbom.ts': ['tools/sbom'],
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
    'bundle/bundle-licences.ts': {
      'publishes images without the licence of a library': [
        'if (!existsSync(file))',
        'if (!existsSync(file)) return [name, ""] as const;\n    if (file === "")',
      ],
    },
    'release/sbom.ts': {
      'lists only the direct dependencies of a package': [
        'const add = (path: string) => {\n    if (found.has(path)) return;',
        'const add = (path: string) => {\n    if (found.has(path) || found.size > 12) return;',
      ],
      'leaves out what the command line bundles': [
        "const BUNDLED = ['cli', 'wallet'];",
        "const BUNDLED = ['wallet'];",
      ],
    },
    'build/compile-assembly.ts': {
      'ships a module with an allocator': ['[...functions].map', '[...functions].slice(99).map'],
    },
  },
};
