import { readFile } from 'node:fs/promises';
import { PanelMissingError } from './errors.js';
import { html, Markup, sourceHash } from './markup.js';

const DIRECTORY = new URL('./panel/', import.meta.url);

/** The content of a page with a script. */
interface Page {
  heading: string;
  /** The name of the script and the style sheet in emulator/panel, without extension. */
  name: string;
  content: Markup;
  /** Further directives of its content security policy, such as `img-src data:`. */
  allow?: readonly string[];
}

/**
 * One HTML file that needs no network and runs only its own script. Throws PanelMissingError if the script is
 * not built.
 */
export async function renderPage({ heading, name, content, allow = [] }: Page): Promise<string> {
  const [script, style] = await Promise.all([readPart(`${name}.js`), readPart(`${name}.css`)]);
  const policy = [
    "default-src 'none'",
    `script-src '${sourceHash(script)}'`,
    `style-src '${sourceHash(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    ...allow,
  ].join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<h1>${heading}</h1>
${content}<script type="module">${new Markup(script)}</script>
</body>
</html>
`.text;
}

/** An element with data for the script of a page, escaped so that it cannot end the element. */
export function embedJson(id: string, value: object): Markup {
  const text = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escapeUnit);
  return html`<script type="application/json" id="${id}">${new Markup(text)}</script>
`;
}

const escapeUnit = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

async function readPart(name: string): Promise<string> {
  const text = await readFile(new URL(name, DIRECTORY), 'utf8').catch(error => {
    throw error.code === 'ENOENT' ? new PanelMissingError() : error;
  });
  return text.trim();
}
