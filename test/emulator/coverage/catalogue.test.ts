import { MENU_PAGES, REVIEW_TITLES } from '#emulator/coverage/screens.js';
import { readText } from '../../../testkit/repository/repository.js';
import { MENU } from '../../../testkit/repository/specification.js';

/** The text under a heading, up to the next one. */
function section(heading: string, text = readText('docs/TRANSACTION.md')): string {
  const [, rest = ''] = text.split(`\n${heading}\n`);
  return rest.split(/\n#+ /)[0]!;
}

/** Code in the first column of a table. */
const firstColumn = (text: string) =>
  [...text.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, it]) => it!),
  );

test('the titles that coverage counts are the documented titles', () => {
  const items = ['### Review items', '### Details'].flatMap(heading => firstColumn(section(heading)));
  // Items of SIGN_MESSAGE, GET_PUBLIC_KEY, REGISTER_CONTACT and the decision pages.
  const others = ['Account', 'Address', 'New contact', 'Approve', 'Reject'];
  const decisions = ['transaction', 'message', 'contact'].flatMap(what => [
    `${what === 'contact' ? 'Save' : 'Sign'} ${what}`,
    `Reject ${what}`,
  ]);
  expect([...REVIEW_TITLES].sort()).toEqual([...new Set([...items, ...others, ...decisions])].sort());
  const documented = readText('docs/TRANSACTION.md') + readText('docs/SPECIFICATION.md');
  for (const title of [...others, ...decisions]) expect(documented).toContain(`\`${title}\``);
});

test('the pages of the menu that coverage counts are the documented pages', () => {
  const pages = [...MENU].flatMap(([title, { lines, varies }]) =>
    varies ? [[title]] : lines.map(line => [title, line]),
  );
  expect(pages).toHaveLength(14);
  expect(MENU_PAGES.map(page => [...page])).toEqual(expect.arrayContaining(pages));
  expect(MENU_PAGES).toHaveLength(pages.length);
});
