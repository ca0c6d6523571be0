import { existsSync } from 'node:fs';
import puppeteer, { type Browser } from 'puppeteer-core';

const PATHS = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** A headless stock Firefox with a new profile, over WebDriver BiDi. */
export function launchFirefox(): Promise<Browser> {
  const executablePath = process.env.FIREFOX ?? PATHS.find(existsSync);
  if (executablePath === undefined || !existsSync(executablePath)) {
    throw new Error(
      'Firefox is not installed: install it (Debian: apt-get install firefox-esr), or set FIREFOX to its path',
    );
  }
  return puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
}
