// Beside what the emulator declares; in the tests alone, since in a user's project it would clash with the
// browser's types.
declare namespace WebAssembly {
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
}
