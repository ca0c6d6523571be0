// Declares the used part of the WebAssembly interface, which @types/node 20 lacks.
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
type ModuleClass = new (bytes: Uint8Array) => WebAssembly.Module;
type InstanceClass = new (
  module: WebAssembly.Module,
  imports: Imports,
) => { exports: Record<string, unknown> };

// The classes are not declared, because that would conflict with a project's DOM types.

export function compileModule(bytes: Uint8Array): WebAssembly.Module {
  const Module: ModuleClass = Reflect.get(WebAssembly, 'Module');
  return new Module(bytes);
}

/** Instantiates a module and returns its exports. */
export function instantiateModule(module: WebAssembly.Module, imports: Imports): Record<string, unknown> {
  const Instance: InstanceClass = Reflect.get(WebAssembly, 'Instance');
  return new Instance(module, imports).exports;
}
