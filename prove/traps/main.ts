// Lists what can trap in the module that ships, and how deep its calls go; then the same of a module that
// calls itself, which must be refused.
import { readModule, type WasmModule } from '../wasm/module.js';
import { surveyModule } from './survey.js';

const module = readModule();
const { depths, unreachable, divisions, loops } = surveyModule(module);
const list = (found: Map<string, number>) =>
  [...found].map(([name, count]) => `${name} (${count})`).join(', ');

for (const [name, path] of depths) console.log(`${name}: ${path.length} calls deep, to ${path.at(-1)}`);
console.log(`no function can call itself; ${module.functions.length} functions, ${loops} loops`);
console.log(`checked as it runs: ${list(unreachable)}`);
console.log(`divisors that are no constant: ${list(divisions) || 'none'}`);

/** A copy in which the function that is called last calls the first one of the path. */
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
