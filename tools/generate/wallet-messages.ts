import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rowsOf } from './error-table.js';
import type { Generator } from './generator.js';

const page = join(fileURLToPath(new URL('../../..', import.meta.url)), 'wallet/page');

const MESSAGE = /(?<!\w)t`((?:\$\{[^`]*?\}|[^`$])*)`/g;
const ATTRIBUTE = /(?:aria-label|placeholder)="([^"]+)"/g;
const TEXT = />\s*([^<>]+?)\s*</g;
/**
 * Codes that cannot occur in the page. They need Node, a `SignerSession`, an origin other than the gateway's,
 * or a program that sets the fee or the bytes of an escrow.
 */
const NEVER_MET = [
  'ESCROW_HASH_MISMATCH',
  'FEE_TOO_LOW',
  'GATEWAY_ORIGIN_REFUSED',
  'GATEWAY_UNTRUSTED',
  'GATEWAY_URL',
  'MNEMONIC',
  'SESSION_CLOSED',
  'WRONG_INTERFACE',
];
/** Matches texts that are not translated: texts without letters, the coin, an address, or a command. */
const NAMES = /^(\P{L}*|ZBC|ZBC_…|zbc-signer \w+)$/u;

function messagesOfCode(source: string): string[] {
  return [...source.matchAll(MESSAGE)].map(([, message = '']) => {
    let at = 0;
    return message.replace(/\$\{.*?\}(?=[^}]|$)/g, () => `{${at++}}`);
  });
}

function messagesOfDocument(html: string): string[] {
  const body = html.slice(html.indexOf('<body>'), html.indexOf('<noscript>'));
  return [ATTRIBUTE, TEXT].flatMap(pattern => [...body.matchAll(pattern)].map(([, message = '']) => message));
}

const read = (file: string) => readFileSync(join(page, file), 'utf8');
const explained = read('words.ts');

/**
 * Returns whether the page shows the remedy of an error. For some errors, the page has texts of its own.
 * Other errors cannot occur.
 */
export function isRemedyShown(code: string): boolean {
  return !explained.includes(`'${code}'`) && !NEVER_MET.includes(code);
}

function messagesOfLibrary(): string[] {
  return rowsOf().flatMap(([code, { remedy }]) => (isRemedyShown(code) ? [remedy] : []));
}

function content(): string {
  const files = readdirSync(page, { recursive: true, encoding: 'utf8' });
  const code = files.filter(file => file.endsWith('.ts'));
  const messages = [
    ...code.flatMap(file => messagesOfCode(read(file))),
    ...messagesOfLibrary(),
    ...['wallet.html', 'connect/connect.html'].flatMap(file => messagesOfDocument(read(file))),
  ];
  const unique = [...new Set(messages)].filter(message => !NAMES.test(message)).sort();
  return `${JSON.stringify(unique, undefined, 2)}\n`;
}

/** All English texts of the wallet page, for translators. */
export const walletMessages: Generator = { path: 'wallet/page/messages.json', content };
