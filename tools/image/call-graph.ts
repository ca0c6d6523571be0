interface Node {
  bytes: number | undefined;
  calls: Set<string>;
}

/** The output of gcc's -fcallgraph-info=su for a program: the stack usage and callees of each function. */
export class CallGraph {
  readonly #nodes = new Map<string, Node>();
  readonly #weak = new Map<string, Node>();

  /**
   * `library` has the stack usage of functions that were not compiled here. `indirect` has, for each function
   * that calls by pointer, the functions that it may call.
   */
  constructor(
    graphs: string[],
    private readonly library: Readonly<Record<string, number>>,
    private readonly indirect: Readonly<Record<string, readonly string[]>>,
  ) {
    for (const graph of graphs) this.#read(graph);
  }

  /** Returns the maximum stack usage of a call of a function, in bytes; throws if it is unbounded. */
  depth(name: string, callers: readonly string[] = []): number {
    if (callers.includes(name)) throw new Error(`recursion: ${[...callers, name].join(' > ')}`);
    const node = this.#find(name);
    if (node?.bytes === undefined) return this.#libraryDepth(name, callers);
    const depths = this.#callees(name, node).map(callee => this.depth(callee, [...callers, name]));
    return node.bytes + Math.max(0, ...depths);
  }

  /**
   * Finds a function. A weak function, which gcc names with its file, is found if no other function overrides
   * it.
   */
  #find(name: string): Node | undefined {
    const node = this.#nodes.get(name);
    return node?.bytes === undefined ? (this.#weak.get(name) ?? node) : node;
  }

  #libraryDepth(name: string, callers: readonly string[]): number {
    const bytes = this.library[name];
    if (bytes === undefined)
      throw new Error(`the stack usage of ${name} is not known; it is called by ${callers.at(-1)}`);
    return bytes;
  }

  #callees(name: string, { calls }: Node): string[] {
    if (!calls.has('__indirect_call')) return [...calls];
    const targets = this.indirect[name.replace(/^.*:/, '')];
    if (!targets) throw new Error(`${name} calls functions by pointer, but its callees are not listed`);
    return [...[...calls].filter(callee => callee !== '__indirect_call'), ...targets];
  }

  #read(graph: string): void {
    for (const [, name, bytes, kind] of graph.matchAll(
      /^node: \{ title: "([^"]+)" label: "[^"]*\\n(\d+) bytes \(([^)]+)\)/gm,
    )) {
      if (kind !== 'static') throw new Error(`the stack usage of ${name} is ${kind}, not static`);
      this.#node(name!).bytes = Number(bytes);
      this.#weak.set(name!.replace(/^.*:/, ''), this.#node(name!));
    }
    for (const [, from, to] of graph.matchAll(/^edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"/gm))
      this.#node(from!).calls.add(to!);
  }

  #node(name: string): Node {
    const known = this.#nodes.get(name);
    if (known) return known;
    const node = { bytes: undefined, calls: new Set<string>() };
    this.#nodes.set(name, node);
    return node;
  }
}
