import { createHash } from 'node:crypto';
import { encodePng } from './device/png.js';

/** HTML that the `html` template inserts unchanged. The template escapes all other values. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Control characters except line feed and tab, and other invisible characters, such as changes of direction.
 */
const INVISIBLE = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu;

/** A template of HTML, whose values are escaped for text and for quoted attributes. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const rest = parts.map((part, index) => render(part) + literals[index + 1]!);
  return new Markup(literals[0]! + rest.join(''));
}

function render(part: Part): string {
  if (part instanceof Markup) return part.text;
  return typeof part === 'object' ? part.map(render).join('') : escapeText(`${part}`);
}

function escapeText(text: string): string {
  return text.replace(INVISIBLE, '').replace(/[&<>"']/g, character => ENTITIES[character]!);
}

/** The style of a report, which is a page of tables. */
const TABLES = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h2 { margin: 1.8rem 0 .4rem; font-size: 1.1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid #8886; }
figure { display: inline-block; margin: .4rem 1rem .4rem 0; }
figcaption { font-size: .8rem; }
img { image-rendering: pixelated; border: 3px solid #888; }
`;

/** One HTML file that needs no network and has no script. */
export function renderReport(heading: string, style: string, content: Markup): string {
  const hash = createHash('sha256')
    .update(TABLES + style)
    .digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
<style>${new Markup(TABLES + style)}</style>
</head>
<body>
<h1>${heading}</h1>
${content}</body>
</html>
`.text;
}

/** A screen, whose caption is also its alternative text. `frame` has 64 rows of 16 bytes. */
export function drawFigure(caption: string, frame: Uint8Array): Markup {
  return html`<figure>${drawScreen(caption, frame)}<figcaption>${caption}</figcaption></figure>`;
}

/** The style of `drawDifference`. */
export const DIFFERENCE_STYLE = `
.difference { position: relative; }
.difference img + img { position: absolute; left: 0; mix-blend-mode: difference; }
`;

/** The expected screen next to the shown one, and what differs: there, only pixels that differ are lit. */
export function drawDifference({
  expected,
  shown,
  caption = 'shown',
}: {
  expected?: Uint8Array | undefined;
  shown?: Uint8Array | undefined;
  caption?: string;
}): Markup {
  const figures = [
    ...(expected ? [drawFigure('expected', expected)] : []),
    ...(shown ? [drawFigure(caption, shown)] : []),
    ...(expected && shown
      ? [
          html`<figure class="difference">${drawScreen('', expected)}${drawScreen('', shown)}<figcaption>difference</figcaption></figure>`,
        ]
      : []),
  ];
  return html`${figures}`;
}

/** A screen with an alternative text. `frame` has 64 rows of 16 bytes. */
export function drawScreen(alternative: string, frame: Uint8Array): Markup {
  const png = Buffer.from(encodePng(frame)).toString('base64');
  return html`<img width="256" height="128" alt="${alternative}" src="data:image/png;base64,${png}">`;
}
