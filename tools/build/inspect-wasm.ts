// Reads the imports, exports and contents of a module from its bytes (WebAssembly 2.0 core, §5.5).
import { type Kind, kindOf, readConstant, readInstruction } from './wasm-opcodes.js';
import { sectionsOf, WasmReader } from './wasm-reader.js';

const FUNCTION = 0;
const KIND_NAMES = ['function', 'table', 'memory', 'global', 'tag'];
const FLOATING_TYPES = [0x7c, 0x7d];

interface WasmReport {
  /** `module.name`, and the kind if it is not a function. */
  imports: string[];
  exports: string[];
  /** Sizes in pages of 64 KiB; `maximum` may be undefined. */
  memories: { minimum: number; maximum?: number }[];
  instructions: Set<Kind>;
  /** The address after the last byte of data. */
  dataEnd: number;
}

function readLimits(reader: WasmReader): { minimum: number; maximum?: number } {
  const hasMaximum = (reader.byte() & 1) === 1;
  const minimum = reader.unsigned();
  return hasMaximum ? { minimum, maximum: reader.unsigned() } : { minimum };
}

function readImport(reader: WasmReader, report: WasmReport): string {
  const name = `${reader.name()}.${reader.name()}`;
  const kind = reader.byte();
  if (kind === FUNCTION) reader.unsigned();
  else if (kind === 2) report.memories.push(readLimits(reader));
  else if (kind === 3) reader.take(2);
  else throw new TypeError(`import ${name}: imports of kind ${KIND_NAMES[kind]} are not supported`);
  return kind === FUNCTION ? name : `${name} (${KIND_NAMES[kind]})`;
}

function readType(reader: WasmReader, report: WasmReport): void {
  if (reader.byte() !== 0x60) throw new TypeError('the module has a type that is not a function type');
  const types = [...reader.list(() => reader.byte()), ...reader.list(() => reader.byte())];
  if (types.some(type => FLOATING_TYPES.includes(type))) report.instructions.add('floating-point');
}

function readFunction(reader: WasmReader, report: WasmReport): void {
  const body = new WasmReader(reader.take(reader.unsigned()));
  body.list(() => [body.unsigned(), body.byte()]);
  let kind: Kind = 'plain';
  while (!body.atEnd && kind !== 'unknown') {
    kind = kindOf(readInstruction(body));
    report.instructions.add(kind);
  }
}

function readSegment(reader: WasmReader, report: WasmReport): void {
  const mode = reader.unsigned();
  if (mode !== 0) report.instructions.add('memory.init');
  if (mode === 2) reader.unsigned();
  const offset = mode === 1 ? 0 : Number(readConstant(reader));
  report.dataEnd = Math.max(report.dataEnd, offset + reader.take(reader.unsigned()).length);
}

function readExport(reader: WasmReader): string {
  const name = reader.name();
  reader.byte();
  reader.unsigned();
  return name;
}

/** Reads a module; throws a TypeError or RangeError if the bytes are not a module or are not supported. */
export function inspectWasm(wasm: Uint8Array): WasmReport {
  const report: WasmReport = { imports: [], exports: [], memories: [], instructions: new Set(), dataEnd: 0 };
  const found = new Map(sectionsOf(wasm).map(({ id, content }) => [id, new WasmReader(content)]));
  const each = <Item>(section: number, item: (reader: WasmReader) => Item): Item[] => {
    const reader = found.get(section);
    return reader ? reader.list(() => item(reader)) : [];
  };
  each(1, reader => readType(reader, report));
  report.imports = each(2, reader => readImport(reader, report));
  report.memories.push(...each(5, readLimits));
  report.exports = each(7, readExport);
  each(10, reader => readFunction(reader, report));
  each(11, reader => readSegment(reader, report));
  return report;
}

/**
 * Describes each rule of the platform interface that a module breaks; empty for a module that may be shipped.
 */
export function findFaults(report: WasmReport): string[] {
  const faults = report.imports
    .filter(name => !/^hal\.\w+$/.test(name))
    .map(name => `it imports ${name}: only functions of the module hal are allowed`);
  const [memory] = report.memories;
  if (report.memories.length !== 1 || memory?.minimum !== 1 || memory.maximum !== 1) {
    faults.push('its memory must have a minimum and a maximum of exactly one page');
  }
  const allocator = report.exports.filter(name => /^__(new|pin|unpin|collect|alloc|rtti)/.test(name));
  faults.push(...allocator.map(name => `it exports the allocator function ${name}`));
  for (const kind of report.instructions) {
    if (kind !== 'plain') faults.push(`it contains an instruction that is not allowed: ${kind}`);
  }
  return faults;
}
