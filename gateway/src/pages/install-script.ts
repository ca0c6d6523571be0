import { readFile } from 'node:fs/promises';

const TEMPLATE = new URL('../browser/install.sh', import.meta.url);

/** The shell script that installs a node from the gateway at `gatewayUrl`. */
export async function writeInstallScript(gatewayUrl: string): Promise<string> {
  const template = await readFile(TEMPLATE, 'utf8');
  return template.replace('@GATEWAY_URL@', () => quoteForShell(gatewayUrl));
}

/** Quotes text as one word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
