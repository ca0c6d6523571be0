// Lists the possible traps of the shipped module and the depth of its calls; then checks that a recursive
// module is refused.
import { readModule, type WasmModule } from './wasm/module.js';

interface Survey {
  /** Functions on the deepest call path, by export. */
  depths: Map<string, string[]>;
  /** Number of `unreachable` instructions, which are the firmware's run-time checks, by function. */
  unreachable: Map<string, number>;
  /** Functions with a division or remainder whose divisor is not a constant other than 0. */
  divisions: Map<string, number>;
  loops: number;
}

function count(found: Map<string, number>, name: string): void {
  found.set(name, (found.get(name) ?? 0) + 1);
}

/** Throws an Error if a function can call itself, directly or indirectly. */
function surveyModule(module: WasmModule): Survey {
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

const module = readModule();
const { depths, unreachable, divisions, loops } = surveyModule(module);
const list = (found: Map<string, number>) =>
  [...found].map(([name, count]) => `${name} (${count})`).join(', ');

for (const [name, path] of depths) console.log(`${name}: ${path.length} calls deep, to ${path.at(-1)}`);
console.log(`no function can call itself; ${module.functions.length} functions, ${loops} loops`);
console.log(`run-time checks: ${list(unreachable)}`);
console.log(`divisors that are not constant: ${list(divisions) || 'none'}`);

/** Returns a copy in which the last called function calls the first one of the path. */
function recursive({ functions, ...rest }: WasmModule): WasmModule {
  const command = rest.exports.get('command')!;
  const leaf = functions.findIndex(({ code }) => code.length > 0 && !code.some(({ op }) => op === 'call'));
  const call = { ...functions[leaf]!.code[0]!, op: 'call', index: command };
  const changed = functions.map((each, i) => (i === leaf ? { ...each, code: [...each.code, call] } : each));
  return { ...rest, functions: changed };
}

try {
  surveyModule(recursive(module));
  console.error('a module that calls itself is not refused');
  process.exitCode = 1;
} catch (error) {
  console.log(`control: ${(error as Error).message}`);
}
