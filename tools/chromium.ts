import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Returns the path of the installed Chromium; throws if it is not installed. */
export function findChromium(): string {
  const executablePath = process.env.CHROMIUM ?? PATHS.find(existsSync);
  if (executablePath === undefined || !existsSync(executablePath)) {
    throw new Error(
      'Chromium is not installed: install it (Debian: apt-get install chromium), or set CHROMIUM to its path',
    );
  }
  return executablePath;
}

/** Starts a headless Chromium with a new profile. It resolves the host name `foreignName` to 127.0.0.1. */
export function launchChromium(foreignName?: string): Promise<Browser> {
  const rules = foreignName === undefined ? [] : [`--host-resolver-rules=MAP ${foreignName} 127.0.0.1`];
  return chromium.launch({ executablePath: findChromium(), args: [...SWITCHES, ...rules] });
}
