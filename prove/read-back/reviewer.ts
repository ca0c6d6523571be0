// A device from which only the frames are read. Each thread has its own device.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileModule } from '#emulator/device/webassembly.js';
import { BareDevice } from '../../testkit/device/bare-device.js';
import { root } from '../../testkit/repository/repository.js';
import { hasTitle, type Page, readPage } from './page.js';

const RIGHT = 2;
const OK = '9000';
/** More pages than any review has. */
const MAX_PAGES = 600;

/** Returns the 16 bytes of stored settings in which `Details` is `shown`. */
function settingsWithDetails(): Buffer {
  const record = Buffer.from([0x5a, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([record, createHash('sha3-256').update(record).digest().subarray(0, 4)]);
}

export class Reviewer extends BareDevice {
  pages = 0;

  /** `path` is the path of a module; the default is the shipped one. */
  constructor(withDetails: boolean, path = join(root, 'dist/firmware/zbc-signer.wasm')) {
    super(compileModule(readFileSync(path)), undefined, false);
    if (!withDetails) return;
    this.settings = settingsWithDetails();
    this.app.boot();
  }

  /** Returns the pages of these commands' review, up to the approve page; undefined if they are refused. */
  review(apdus: readonly Uint8Array[]): Page[] | undefined {
    for (const [i, apdu] of apdus.entries()) {
      const reply = this.command(apdu);
      if (reply !== '' && reply !== OK) return undefined;
      if ((reply === '') !== (i === apdus.length - 1))
        throw new Error('a review opens too early or not at all');
    }
    const pages: Page[] = [];
    while (pages.length < MAX_PAGES) {
      const frame = Buffer.from(this.frame);
      this.pages++;
      if (!hasTitle(frame)) break;
      pages.push(readPage(frame)!);
      this.press(RIGHT);
    }
    this.app.cancel();
    return pages;
  }
}
