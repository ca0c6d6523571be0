// Additions to the emulator's declarations of WebAssembly, only for tests. In a user's project, they would
// conflict with the types of the browser.
declare namespace WebAssembly {
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
}
