import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../repository/repository.js';
import type { BoardImage } from '../board-image.js';
import type { DriverOptions } from '../driver.js';

const PLUGIN = join(root, 'dist/boards/trace.so');

/** Returns the option of QEMU that loads the tracing plugin, or undefined if nothing is to be traced. */
export function tracePlugin(image: BoardImage, { traced, watched }: DriverOptions): string | undefined {
  if (!traced) return undefined;
  if (!existsSync(PLUGIN)) throw new Error('dist/boards/trace.so is missing: make test-boards builds it');
  const starts = traced.map(name => `start=${image.symbol(name)}`);
  const watch = watched === undefined ? [] : [`watch=${watched}`, 'length=64'];
  return [PLUGIN, ...starts, ...watch].join(',');
}
