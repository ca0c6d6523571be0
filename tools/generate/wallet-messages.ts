import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Generator } from './generator.js';

const page = join(fileURLToPath(new URL('../../..', import.meta.url)), 'wallet/page');

const MESSAGE = /(?<!\w)t`((?:\$\{[^`]*?\}|[^`$])*)`/g;
const ATTRIBUTE = /(?:aria-label|placeholder)="([^"]+)"/g;
const TEXT = />\s*([^<>]+?)\s*</g;
/** What is the same in every language: what has no letters, the coin, an address and a command. */
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

function content(): string {
  const read = (file: string) => readFileSync(join(page, file), 'utf8');
  const files = readdirSync(page, { recursive: true, encoding: 'utf8' });
  const code = files.filter(file => file.endsWith('.ts'));
  const messages = [
    ...code.flatMap(file => messagesOfCode(read(file))),
    ...['wallet.html', 'connect/connect.html'].flatMap(file => messagesOfDocument(read(file))),
  ];
  const unique = [...new Set(messages)].filter(message => !NAMES.test(message)).sort();
  return `${JSON.stringify(unique, undefined, 2)}\n`;
}

/** All that the wallet page says, in English: what a translation of it translates. */
export const walletMessages: Generator = { path: 'wallet/page/messages.json', content };
