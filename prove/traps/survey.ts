// What the module's code says without being run: which function calls which, and which instructions can trap
// but for memory.
import type { WasmModule } from '../wasm/module.js';

interface Survey {
  /** Functions on the deepest path of calls, by export. */
  depths: Map<string, string[]>;
  /** Number of `unreachable` in each function that has any: the checks that the firmware makes as it runs. */
  unreachable: Map<string, number>;
  /** Functions with a division or remainder whose divisor is not a constant other than 0. */
  divisions: Map<string, number>;
  loops: number;
}

function count(found: Map<string, number>, name: string): void {
  found.set(name, (found.get(name) ?? 0) + 1);
}

/** Throws an Error when a function can call itself, at any remove. */
export function surveyModule(module: WasmModule): Survey {
  const deepest = new Map<number, string[]>();
  const open = new Set<number>();
  const walk = (index: number): string[] => {
    const known = deepest.get(index);
    if (known) return known;
    const { name, code } = module.functions[index]!;
    if (open.has(index)) throw new Error(`${name} can call itself`);
    open.add(index);
    const called = code.filter(({ op }) => op === 'call').map(each => walk(each.index));
    open.delete(index);
    const path = [name, ...called.reduce<string[]>((a, b) => (b.length > a.length ? b : a), [])];
    deepest.set(index, path);
    return path;
  };
  const survey: Survey = { depths: new Map(), unreachable: new Map(), divisions: new Map(), loops: 0 };
  for (const [name, index] of module.exports) survey.depths.set(name, walk(index));
  for (const { name, code } of module.functions) {
    code.forEach(({ op }, at) => {
      if (op === 'loop') survey.loops++;
      if (op === 'unreachable') count(survey.unreachable, name);
      const divisor = code[at - 1];
      const isConstant = divisor?.op.endsWith('.const') && divisor.value !== 0n && divisor.value !== -1n;
      if (/\.(div|rem)_/.test(op) && !isConstant) count(survey.divisions, name);
    });
  }
  return survey;
}
