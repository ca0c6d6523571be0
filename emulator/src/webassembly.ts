// The part of the WebAssembly interface that the emulator uses: Node has it, @types/node 20 does not declare it.
declare global {
  namespace WebAssembly {
    interface Module {
      readonly [Symbol.toStringTag]: 'WebAssembly.Module';
    }
    interface Memory {
      readonly buffer: ArrayBuffer;
    }
    function compile(bytes: Uint8Array): Promise<Module>;
  }
}

type Imports = Record<string, Record<string, unknown>>;
type InstanceClass = new (
  module: WebAssembly.Module,
  imports: Imports,
) => { exports: Record<string, unknown> };

/** The exports of a new instance; not a declared class, since that would clash with the browser's types in a user's project. */
export function instantiateModule(module: WebAssembly.Module, imports: Imports): Record<string, unknown> {
  const Instance: InstanceClass = Reflect.get(WebAssembly, 'Instance');
  return new Instance(module, imports).exports;
}
