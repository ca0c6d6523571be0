import type { Browser } from 'playwright-core';
import { launchChromium } from '../../tools/chromium.js';

/** Starts Chromium before the first test of a file, and closes it after the last. Returns it in a test. */
export function chromiumOfFile(foreignName?: string): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium(foreignName);
  });
  afterAll(() => browser?.close());
  return () => browser;
}
