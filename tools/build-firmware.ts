import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('../..', import.meta.url));
const FLAGS = [
  '--runtime',
  'stub',
  '--use',
  'abort=',
  '--noAssert',
  '--initialMemory',
  '1',
  '--maximumMemory',
  '1',
  '-O3',
];

async function build(source: string, target: string): Promise<void> {
  const { error, stderr } = await asc.main([source, ...FLAGS, '-o', target, '--baseDir', root]);
  if (error) throw new Error(`${source}: ${error.message}\n${stderr.toString()}`);
}

mkdirSync(`${root}/dist/firmware`, { recursive: true });
await build('firmware/assembly/index.ts', 'dist/firmware/zbc-signer.wasm');
