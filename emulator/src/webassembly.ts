// The part of the WebAssembly interface that the emulator uses: Node has it, @types/node 20 does not declare it.
declare global {
  namespace WebAssembly {
    interface Module {
      readonly [Symbol.toStringTag]: 'WebAssembly.Module';
    }
    interface Memory {
      readonly buffer: ArrayBuffer;
    }
    class Instance {
      constructor(module: Module, imports: Record<string, Record<string, unknown>>);
      readonly exports: Record<string, unknown>;
    }
    function compile(bytes: Uint8Array): Promise<Module>;
  }
}

export {};
