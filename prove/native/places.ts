// Locations of the modules' functions in an image.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { image } from '../../testkit/boards/image.js';
import { functionIndex, type WasmModule } from '../wasm/module.js';

/**
 * Addresses of a function of one of the two modules in the image. There is one for each copy that the
 * compiler made.
 */
export function placesOf(module: WasmModule, object: 'signer' | 'keystore', name: string): number[] {
  const map = readFileSync(join(image.directory, 'zbc-signer.map'), 'utf8');
  const index = functionIndex(module, name);
  const section = new RegExp(
    `^ \\.text\\.w2c_f${index}(?:\\.\\S+)?\\s+0x(\\w+)\\s+\\S+ \\S*/${object}\\.o$`,
    'gm',
  );
  const places = [...map.matchAll(section)].map(([, address]) => Number.parseInt(address!, 16));
  if (places.length === 0) throw new Error(`the image has no function ${name}`);
  return places;
}
