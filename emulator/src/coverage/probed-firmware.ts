import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { FIRMWARE_FILE, readFirmware, SOURCE_MAP_FILE } from '../device/firmware.js';
import { type CodeMap, mapCode } from './code-map.js';
import { type Instrumented, instrument } from './instrument.js';
import type { SourceMap } from './source-map.js';
import '../device/webassembly.js';

/** The shipped firmware with probes. */
export interface ProbedFirmware {
  module: WebAssembly.Module;
  instrumented: Instrumented;
  /** SHA-256 of the module without probes, in hex. */
  digest: string;
}

let firmware: Promise<ProbedFirmware> | undefined;

/** Instruments the firmware once per process; a failure is not cached. */
export function loadProbedFirmware(): Promise<ProbedFirmware> {
  firmware ??= probeFirmware().catch(error => {
    firmware = undefined;
    throw error;
  });
  return firmware;
}

async function probeFirmware(): Promise<ProbedFirmware> {
  const wasm = await readFirmware(FIRMWARE_FILE);
  const instrumented = instrument(wasm);
  return {
    module: await WebAssembly.compile(instrumented.wasm),
    instrumented,
    digest: createHash('sha256').update(wasm).digest('hex'),
  };
}

/** Maps the probes to lines of the sources. */
export async function readCodeMap({ instrumented }: ProbedFirmware): Promise<CodeMap> {
  const map = JSON.parse(await readFile(SOURCE_MAP_FILE, 'utf8')) as SourceMap;
  return mapCode(instrumented, map);
}
