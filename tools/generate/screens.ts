import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { notice } from './source-text.js';

const FIRMWARE = fileURLToPath(new URL('../../../firmware/assembly', import.meta.url));

const NAME = "'([^']+)'";
/** Matches calls that set one or two page titles. A title that is a parameter is set by the caller. */
const ITEM =
  /\b(?:items\.begin|items\.refer|describeText|describeHash|describeName)\(\s*(?:items,\s*)?('[^']*'|\w+)(?:,\s*'([^']*)')?[,)]/g;
const DECISION_PAGES = new RegExp(`\\bopenReview\\(\\w+, ${NAME}, ${NAME}\\)`, 'g');
const MENU = /\bdrawLines\('([^']+)', (.+?)\);/g;
const NUMBER = new RegExp(`\\bshowNumber\\(${NAME},`, 'g');
const STARTS =
  /\b(?:items\.begin|items\.refer|describeText|describeHash|describeName|openReview|drawLines|showNumber)\(/g;

interface Found {
  titles: Set<string>;
  pages: [title: string, line?: string][];
}

/**
 * Collects the titles in a source file. Throws if a call has an unknown form, because its title would be
 * missing.
 */
function readSource(path: string, found: Found): void {
  const text = readFileSync(path, 'utf8').replace(/^\s*(?:export )?function \w+\(/gm, '');
  let understood = 0;
  for (const [, title, second] of text.matchAll(ITEM)) {
    understood++;
    if (second !== undefined) found.titles.add(second);
    if (title!.startsWith("'")) found.titles.add(title!.slice(1, -1));
    else if (title !== 'title' && title !== 'hashTitle')
      throw new Error(`${path}: the title ${title} is neither a string nor a known parameter`);
  }
  for (const [, approve, reject] of text.matchAll(DECISION_PAGES)) {
    understood++;
    found.titles.add(approve!).add(reject!);
  }
  for (const [, title, lines] of text.matchAll(MENU)) {
    understood++;
    const choices = [...lines!.matchAll(/'([^']*)'/g)].map(([, line]) => line!);
    if (choices.length === 0) found.pages.push([title!]);
    for (const line of choices) found.pages.push([title!, line]);
  }
  for (const [, title] of text.matchAll(NUMBER)) {
    understood++;
    found.pages.push([title!]);
  }
  // Inside page.ts and menu.ts, drawLines and showNumber are called with parameters.
  const calls = [...text.matchAll(STARTS)].length - [...text.matchAll(/\bdrawLines\(item\b/g)].length;
  if (calls !== understood)
    throw new Error(`${path} has ${calls} calls that set titles, but only ${understood} have a known form`);
}

function content(): string {
  const found: Found = { titles: new Set(), pages: [] };
  const files = readdirSync(FIRMWARE, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.ts'),
  );
  for (const name of files.sort()) readSource(join(FIRMWARE, name), found);
  const titles = [...found.titles].sort().map(title => `  '${title}',`);
  const pages = found.pages
    .map(([title, line]) => (line === undefined ? `  ['${title}'],` : `  ['${title}', '${line}'],`))
    .sort();
  return [
    notice('screens.ts'),
    '/** The titles of every page of a review. */',
    'export const REVIEW_TITLES: readonly string[] = [',
    ...titles,
    '];\n',
    '/** The title and the line of every page of the menu. If the line is missing, it varies. */',
    'export const MENU_PAGES: readonly (readonly [title: string, line?: string])[] = [',
    ...pages,
    '];\n',
  ].join('\n');
}

/** Every screen that the firmware can show, from its sources. */
export const screens = { path: 'emulator/src/generated/screens.ts', content };
