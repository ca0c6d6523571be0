// instrument <named.wasm> <out.wasm>: adds a call of `fault.branch(condition, number)` before each
// conditional branch. The result of the call decides the direction of the branch. Everything else stays unchanged.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const IMPORT = '  (import "fault" "branch" (func $branch (param i32 i32) (result i32)))';

/**
 * Returns the text of a module with the calls, and for each branch the name of its function and its
 * instruction.
 */
function instrument(text: string): { text: string; places: string[] } {
  const places: string[] = [];
  const lines: string[] = [];
  let current = '';
  let imported = false;
  for (const line of text.split('\n')) {
    if (/^ {2}\(func /.test(line)) {
      if (!imported) lines.push(IMPORT);
      imported = true;
      current = /\(func \$?(\S+)/.exec(line)![1]!.replace('firmware/assembly/', '');
    }
    const [, conditional] = /^\s*(if|br_if|select)\b/.exec(line) ?? [];
    if (conditional) {
      lines.push(`i32.const ${places.length}`, 'call $branch');
      places.push(`${current} ${conditional}`);
    }
    lines.push(line);
  }
  return { text: lines.join('\n'), places };
}

const [input, output] = process.argv.slice(2);
if (input && output) {
  const options = { encoding: 'utf8', maxBuffer: 1 << 28 } as const;
  const { text, places } = instrument(execFileSync('wasm2wat', [input], options));
  writeFileSync(`${output}.wat`, text);
  writeFileSync(`${output}.json`, JSON.stringify(places));
  execFileSync('wat2wasm', ['--debug-names', `${output}.wat`, '-o', output], options);
}
