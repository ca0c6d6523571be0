import { html, Markup, sourceHash } from './markup.js';
import { readPanelFile } from './panel-files.js';

/** The style of a report, which is a page of tables. */
const TABLES = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h2 { margin: 1.8rem 0 .4rem; font-size: 1.1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid #8886; }
`;

/** The content of a page with a script. */
interface Page {
  heading: string;
  /** The name of the script in emulator/panel, without extension. */
  name: string;
  content: Markup;
  /** Further directives of its content security policy, such as `img-src data:`. */
  allow?: readonly string[];
}

/**
 * One HTML file that needs no network and runs only its own script. Throws PANEL_MISSING if the script is
 * not built.
 */
export async function renderPage({ heading, name, content, allow = [] }: Page): Promise<string> {
  const files = await Promise.all([`${name}.js`, 'panel.css'].map(readPanelFile));
  const [script, style] = files.map(file => file.toString().trim()) as [string, string];
  const sources = [`script-src '${sourceHash(script)}'`, `style-src '${sourceHash(style)}'`];
  const policy = [...sources, "require-trusted-types-for 'script'", ...allow];
  const body = html`${content}<script type="module">${new Markup(script)}</script>\n`;
  return renderDocument(heading, style, body, policy);
}

/** One HTML file that needs no network and has no script. */
export function renderReport(heading: string, style: string, content: Markup): string {
  return renderDocument(heading, TABLES + style, content, [
    `style-src '${sourceHash(TABLES + style)}'`,
    'img-src data:',
  ]);
}

function renderDocument(heading: string, style: string, content: Markup, sources: readonly string[]): string {
  const policy = ["default-src 'none'", ...sources, "base-uri 'none'", "form-action 'none'"].join('; ');
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
${content}</body>
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
