import { main } from 'assemblyscript/asc';
import { inspectWasm } from './inspect-wasm.js';

const LANGUAGE = ['--runtime', 'stub', '--use', 'abort=', '--noAssert', '-O3'];
// One page; static memory starts at 64, so that no object's address is 0.
const MEMORY = ['--initialMemory', '1', '--maximumMemory', '1', '--memoryBase', '64'];
const OUTPUT = ['--outFile', 'module.wasm', '--textFile', 'module.wat'];

export interface CompiledModule {
  wasm: Uint8Array;
  /** The same module as text, with the names of its functions. */
  text: string;
  /** The address behind the last byte of constants, buffers and scratch. */
  staticSize: number;
  /** Functions of the language's allocator that were compiled in. */
  allocatorFunctions: string[];
}

/** Looks at the module before the optimiser takes segments of zeros out of it. */
class Survey {
  staticSize = 0;
  allocatorFunctions: string[] = [];

  afterCompile(module: { emitBinary(): Uint8Array; emitText(): string }): void {
    this.staticSize = inspectWasm(module.emitBinary()).dataEnd;
    const functions = module.emitText().matchAll(/\(func \$(~lib\/rt\/(?!common\/)[^\s)]+)/g);
    this.allocatorFunctions = [...functions].map(([, name]) => name!);
  }
}

/**
 * Compiles an AssemblyScript entry file, a path from `root`, as firmware; throws an Error with the compiler's messages.
 * `withNames` adds the names of the functions to the module, and changes nothing else in it.
 */
export async function compileAssembly(
  root: string,
  entry: string,
  withNames = false,
): Promise<CompiledModule> {
  const names = withNames ? ['--debug'] : [];
  const survey = new Survey();
  let wasm: Uint8Array | undefined;
  let text = '';
  const { error, stderr } = await main(
    [entry, '--baseDir', root, ...LANGUAGE, ...MEMORY, ...OUTPUT, ...names],
    {
      transforms: [survey as never], // its type also asks for members that the compiler itself adds
      writeFile: (name, contents) => {
        if (name === 'module.wat') text = contents as string;
        if (name === 'module.wasm') wasm = contents as Uint8Array;
      },
    },
  );
  if (error || !wasm) throw new Error(`${entry} does not compile\n${stderr.toString()}`);
  return { wasm, text, staticSize: survey.staticSize, allocatorFunctions: survey.allocatorFunctions };
}
