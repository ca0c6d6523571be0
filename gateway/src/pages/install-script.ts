import { readFile } from 'node:fs/promises';

const TEMPLATE = new URL('../../pages/install.sh', import.meta.url);

/** The shell script that installs a node from the gateway at `gatewayUrl`, as text for `sh`. */
export async function writeInstallScript(gatewayUrl: string): Promise<string> {
  const template = await readFile(TEMPLATE, 'utf8');
  return template.replace('@GATEWAY_URL@', () => quoteForShell(gatewayUrl));
}

/** One word for a POSIX shell, whatever characters it has. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
