import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PNG } from 'pngjs';

/**
 * Returns a PNG of the size of the screen with the lit pixels `[x, y]`. The PNG is encoded by pngjs, and not
 * by the emulator's own encoder.
 */
export function screenPng(...lit: readonly (readonly [x: number, y: number])[]): Buffer {
  const png = new PNG({ width: 128, height: 64 });
  for (let at = 3; at < png.data.length; at += 4) png.data[at] = 0xff;
  for (const [x, y] of lit) png.data.fill(0xdd, 4 * (y * 128 + x), 4 * (y * 128 + x) + 3);
  return PNG.sync.write(png);
}

/** Writes files into a directory. The keys are paths in this directory. */
export function writeFiles(directory: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
}

/**
 * Two sets of snapshots: one of the test harness, with a changed, a new and a removed page, and one of Zemu.
 */
export const CHANGED: Readonly<Record<string, string | Uint8Array>> = {
  'shots/send/00000.png': screenPng(),
  'shots/send/00001.png': screenPng([1, 1]),
  'shots/send/00003.png': screenPng([3, 3]),
  'shots/send-failed/00001.png': screenPng([1, 1], [2, 2]),
  'shots/send-failed/00001.diff.png': screenPng(),
  'shots/send-failed/00002.png': screenPng([5, 5]),
  'shots/send-failed/failure.json': JSON.stringify({
    test: 'send.test.js: pays',
    trace: '/tmp/a.trace',
    texts: { '00001.png': 'Amount / 2 ZBC' },
    removed: ['00003.png'],
  }),
  'zemu/snapshots/nanosp/token/00000.png': screenPng([7, 7]),
  'zemu/snapshots/nanosp/token/00001.png': screenPng([8, 8]),
  'zemu/snapshots-tmp/nanosp/token/00000.png': screenPng([7, 7]),
  'zemu/snapshots-tmp/nanosp/token/00001.png': screenPng([9, 9]),
};
