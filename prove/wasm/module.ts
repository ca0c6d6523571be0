// The shipped module, decoded for the proofs: functions with their names, instructions with their targets,
// and the memory as it begins (WebAssembly 2.0 core, §5).
import { readFileSync } from 'node:fs';
import { WasmReader } from '../../tools/build/wasm-reader.js';
import { nameOf } from './operations.js';

/** The module that `make prove` builds: the one that ships, with the names of its functions. */
export const NAMED_MODULE = 'dist/native/signer.wasm';

export interface Instruction {
  op: string;
  /** Of a local, global, function or label. */
  index: number;
  /** Of a constant. */
  value: bigint;
  /** Of a load or store. */
  offset: number;
  /** Where a block's `end` is, and its `else` (−1 when it has none). */
  end: number;
  otherwise: number;
  /** Number of values that a block leaves. */
  arity: number;
  /** Of br_table, the default last. */
  labels: number[];
}

interface WasmFunction {
  /** `file/function` without the path to the firmware's sources; `hal.name` of an import. */
  name: string;
  parameters: number;
  results: number;
  /** Locals behind the parameters. */
  locals: number;
  localBits: (32 | 64)[];
  /** Empty for an import. */
  code: Instruction[];
}

export interface WasmModule {
  functions: WasmFunction[];
  /** Function indices by the name of the export. */
  exports: Map<string, number>;
  globals: bigint[];
  globalBits: (32 | 64)[];
  /** One page, as the data segments leave it. */
  memory: Uint8Array;
}

const PAGE = 65536;
const I32 = 0x7f;
const I64 = 0x7e;
const MEMORY_SIZE_IMMEDIATES = new Map([
  [10, 2],
  [11, 1],
]);

function instruction(op: string): Instruction {
  return { op, index: 0, value: 0n, offset: 0, end: -1, otherwise: -1, arity: 0, labels: [] };
}

function readInstruction(reader: WasmReader): Instruction {
  const opcode = reader.byte();
  if (opcode === 0xfc) {
    const immediates = MEMORY_SIZE_IMMEDIATES.get(reader.unsigned());
    if (immediates === undefined) throw new TypeError('a prefixed instruction is not understood');
    for (let i = 0; i < immediates; i++) reader.byte();
    return instruction(immediates === 2 ? 'memory.copy' : 'memory.fill');
  }
  const read = instruction(nameOf(opcode));
  const { op } = read;
  if (op === 'block' || op === 'loop' || op === 'if') read.arity = reader.signed() === -64n ? 0 : 1;
  else if (/^(br|br_if|call|local\..*|global\..*)$/.test(op)) read.index = reader.unsigned();
  else if (op === 'br_table') read.labels = [...reader.list(() => reader.unsigned()), reader.unsigned()];
  else if (/\.(load|store)/.test(op)) [, read.offset] = [reader.unsigned(), reader.unsigned()];
  else if (op.endsWith('.const')) read.value = reader.signed();
  return read;
}

/** Fills in where blocks end. */
function connect(code: Instruction[]): void {
  const open: Instruction[] = [];
  code.forEach((each, at) => {
    if (each.arity >= 0 && /^(block|loop|if)$/.test(each.op)) open.push(each);
    else if (each.op === 'else') open.at(-1)!.otherwise = at;
    else if (each.op === 'end' && open.length > 0) {
      const block = open.pop()!;
      block.end = at;
      if (block.otherwise >= 0) code[block.otherwise]!.end = at;
    }
  });
}

/** Throws a TypeError for a type that is no integer's. */
function readBits(reader: WasmReader): 32 | 64 {
  const type = reader.byte();
  if (type !== I32 && type !== I64) throw new TypeError(`type 0x${type.toString(16)} is not understood`);
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
  while (!body.atEnd) code.push(readInstruction(body));
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

function readConstant(reader: WasmReader): bigint {
  const [value] = [readInstruction(reader).value, readInstruction(reader)];
  return value;
}

/** Throws a TypeError or RangeError for bytes that are no module of the firmware's kind. */
export function decodeModule(wasm: Uint8Array): WasmModule {
  const reader = new WasmReader(wasm);
  reader.take(8);
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
  while (!reader.atEnd) {
    const id = reader.byte();
    const content = new WasmReader(reader.take(reader.unsigned()));
    readers[id]?.(content);
  }
  for (const [index, name] of names) functions[index]!.name = name;
  return { functions, exports, globals, globalBits, memory };
}

export function readModule(path = NAMED_MODULE): WasmModule {
  return decodeModule(readFileSync(path));
}

/** The index of the one function whose name ends in `/name`. */
export function functionIndex(module: WasmModule, name: string): number {
  const found = module.functions.flatMap((each, index) => (each.name.endsWith(`/${name}`) ? [index] : []));
  if (found.length !== 1) throw new Error(`the module has ${found.length} functions ${name}`);
  return found[0]!;
}
