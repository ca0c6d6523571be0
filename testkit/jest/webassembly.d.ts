// Additions to the emulator's declarations, only for tests: in a user's project they would conflict with the
// browser's types.
declare namespace WebAssembly {
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
}
