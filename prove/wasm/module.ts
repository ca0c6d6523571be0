// The shipped module, decoded for the proofs: functions with their names, instructions with their targets,
// and the initial memory (WebAssembly 2.0 core, §5).
import { readFileSync } from 'node:fs';
import { type Instruction, kindOf, readConstant, readInstruction } from '../../tools/build/wasm-opcodes.js';
import { sectionsOf, WasmReader } from '../../tools/build/wasm-reader.js';

export type { Instruction };

/** The module that `make prove` builds: the shipped one, with the names of its functions. */
export const NAMED_MODULE = 'dist/native/signer.wasm';

interface WasmFunction {
  /** `file/function` without the path to the firmware's sources; `hal.name` of an import. */
  name: string;
  parameters: number;
  results: number;
  /** Number of locals, without parameters. */
  locals: number;
  localBits: (32 | 64)[];
  /** Instructions; empty for an import. */
  code: Instruction[];
}

export interface WasmModule {
  functions: WasmFunction[];
  /** Function indices by the name of the export. */
  exports: Map<string, number>;
  globals: bigint[];
  globalBits: (32 | 64)[];
  /** One page with the content of the data segments. */
  memory: Uint8Array;
}

const PAGE = 65536;
const I32 = 0x7f;
const I64 = 0x7e;

/** Sets the ends of blocks. */
function connect(code: Instruction[]): void {
  const open: Instruction[] = [];
  code.forEach((each, at) => {
    if (/^(block|loop|if)$/.test(each.op)) open.push(each);
    else if (each.op === 'else') open.at(-1)!.otherwise = at;
    else if (each.op === 'end' && open.length > 0) {
      const block = open.pop()!;
      block.end = at;
      if (block.otherwise >= 0) code[block.otherwise]!.end = at;
    }
  });
}

/** Throws a TypeError if the type is not an integer. */
function readBits(reader: WasmReader): 32 | 64 {
  const type = reader.byte();
  if (type !== I32 && type !== I64) throw new TypeError(`type 0x${type.toString(16)} is not supported`);
  return type === I32 ? 32 : 64;
}

function readCode(reader: WasmReader): Pick<WasmFunction, 'locals' | 'localBits' | 'code'> {
  const body = new WasmReader(reader.take(reader.unsigned()));
  const localBits = body
    .list(() => {
      const count = body.unsigned();
      const bits = readBits(body);
      return Array.from({ length: count }, () => bits);
    })
    .flat();
  const code: Instruction[] = [];
  while (!body.atEnd) {
    const read = readInstruction(body);
    if (kindOf(read) !== 'plain') throw new TypeError(`an instruction is not supported: ${kindOf(read)}`);
    code.push(read);
  }
  connect(code);
  return { locals: localBits.length, localBits, code };
}

function readNames(reader: WasmReader): Map<number, string> {
  const names = new Map<number, string>();
  if (reader.name() !== 'name') return names;
  while (!reader.atEnd) {
    const kind = reader.byte();
    const content = new WasmReader(reader.take(reader.unsigned()));
    if (kind !== 1) continue;
    content.list(() => names.set(content.unsigned(), content.name().replace('firmware/assembly/', '')));
  }
  return names;
}

/** Throws a TypeError or RangeError if the bytes are not a module of the supported kind. */
export function decodeModule(wasm: Uint8Array): WasmModule {
  const types: [number, number][] = [];
  const functions: WasmFunction[] = [];
  const exports = new Map<string, number>();
  const globals: bigint[] = [];
  const globalBits: (32 | 64)[] = [];
  const memory = new Uint8Array(PAGE);
  let names = new Map<number, string>();
  let bodies = 0;
  const add = (name: string, type: number): void => {
    const [parameters, results] = types[type]!;
    functions.push({ name, parameters, results, locals: 0, localBits: [], code: [] });
  };
  const readers: Record<number, (section: WasmReader) => void> = {
    0: section => {
      names = readNames(section);
    },
    1: section =>
      section.list(() => {
        section.byte();
        types.push([section.list(() => section.byte()).length, section.list(() => section.byte()).length]);
      }),
    2: section =>
      section.list(() => {
        const name = `${section.name()}.${section.name()}`;
        section.byte();
        add(name, section.unsigned());
        bodies++;
      }),
    3: section => section.list(() => add('', section.unsigned())),
    6: section =>
      section.list(() => {
        globalBits.push(readBits(section));
        section.byte();
        globals.push(readConstant(section));
      }),
    7: section =>
      section.list(() => {
        const name = section.name();
        const kind = section.byte();
        const index = section.unsigned();
        if (kind === 0) exports.set(name, index);
      }),
    10: section => section.list(() => Object.assign(functions[bodies++]!, readCode(section))),
    11: section =>
      section.list(() => {
        section.unsigned();
        const at = Number(readConstant(section));
        memory.set(section.take(section.unsigned()), at);
      }),
  };
  for (const { id, content } of sectionsOf(wasm)) readers[id]?.(new WasmReader(content));
  for (const [index, name] of names) functions[index]!.name = name;
  return { functions, exports, globals, globalBits, memory };
}

export function readModule(path = NAMED_MODULE): WasmModule {
  return decodeModule(readFileSync(path));
}

/** Returns the index of the only function whose name ends in `/name`. */
export function functionIndex(module: WasmModule, name: string): number {
  const found = module.functions.flatMap((each, index) => (each.name.endsWith(`/${name}`) ? [index] : []));
  if (found.length !== 1) throw new Error(`the module has ${found.length} functions named ${name}, not one`);
  return found[0]!;
}

/** Returns the 32-bit constants in a function's code, in order, such as addresses and lengths. */
export function numbersIn(module: WasmModule, name: string): number[] {
  const { code } = module.functions[functionIndex(module, name)]!;
  return code.flatMap(({ op, value }) => (op === 'i32.const' ? [Number(value)] : []));
}
