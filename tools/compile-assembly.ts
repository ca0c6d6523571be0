import { main } from 'assemblyscript/asc';
import { inspectWasm } from './inspect-wasm.js';

const FLAGS = [
  ...['--runtime', 'stub', '--use', 'abort=', '--noAssert'],
  ...[
    '--initialMemory',
    '1',
    '--maximumMemory',
    '1',
    '--memoryBase',
    '64',
    '-O3',
    '--outFile',
    'module.wasm',
  ],
];

export interface CompiledModule {
  wasm: Uint8Array;
  /** Bytes of memory, from address 0, that constants, buffers and scratch take. */
  staticSize: number;
  /** Functions of the language's allocator that were compiled in. */
  allocatorFunctions: string[];
}

/** Looks at the module before the optimiser takes names, and segments of zeros, out of it. */
class Survey {
  staticSize = 0;
  allocatorFunctions: string[] = [];

  afterCompile(module: { emitBinary(): Uint8Array; emitText(): string }): void {
    this.staticSize = inspectWasm(module.emitBinary()).dataEnd;
    this.allocatorFunctions = [
      ...module.emitText().matchAll(/\(func \$(~lib\/rt\/(?!common\/)[^\s)]+)/g),
    ].map(([, name]) => name!);
  }
}

/**
 * Compiles an AssemblyScript entry file, a path from `root`, as firmware; throws an Error that holds the compiler's messages.
 * `withNames` adds the functions' names, which changes no other byte.
 */
export async function compileAssembly(
  root: string,
  entry: string,
  withNames = false,
): Promise<CompiledModule> {
  const survey = new Survey();
  let wasm: Uint8Array | undefined;
  const flags = withNames ? [...FLAGS, '--debug'] : FLAGS;
  const { error, stderr } = await main([entry, '--baseDir', root, ...flags], {
    transforms: [survey as never], // its type also asks for members that the compiler itself adds
    writeFile: (name, contents) => {
      if (typeof contents !== 'string' && name === 'module.wasm') wasm = contents;
    },
  });
  if (error || !wasm) throw new Error(`${entry} does not compile\n${stderr.toString()}`);
  return { wasm, staticSize: survey.staticSize, allocatorFunctions: survey.allocatorFunctions };
}
