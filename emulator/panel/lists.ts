import type { CommandEntry, DrawnText, EventEntry, ReplyEntry } from '../src/command-log/entry.js';
import { byId, element } from './elements.js';

/** Limit of each list, as on the server. The oldest entries are dropped. */
const MAX_ENTRIES = 200;

const commands = byId('commands', HTMLOListElement);
const events = byId('events', HTMLOListElement);

/** Rows of the list of commands, by the id of the command. A reply is added to the row of its command. */
const rows = new Map<number, HTMLElement>();

export function clearLists(): void {
  rows.clear();
  commands.replaceChildren();
  events.replaceChildren();
}

/** Adds a new command at the top of the list, or adds a reply to the row of its command. */
export function showCommand({ id, atMs, words, hex, reply }: CommandEntry): void {
  const row = rows.get(id) ?? addRow(id, atMs, words, hex);
  if (!reply) return;
  row.querySelector('.reply')?.replaceWith(describeReply(reply));
  if (reply.hex !== '') row.querySelector('details')?.append(element('code', '', `< ${reply.hex}`));
}

export function showEvent({ atMs, texts, crash }: EventEntry): void {
  const lines = crash === undefined ? texts.map(describeText) : [element('p', 'fault', crash)];
  prepend(events, element('li', '', timeOf(atMs), element('div', '', ...lines)));
}

function addRow(id: number, atMs: number, words: string, hex: string): HTMLElement {
  const waiting = element('p', 'reply waiting', 'waiting for the user');
  const bytes = element(
    'details',
    '',
    element('summary', '', 'Bytes'),
    copyButton(`curl -d '{"data":"${hex}"}' ${location.origin}/apdu`),
    element('code', '', `> ${hex}`),
  );
  const row = element('li', '', timeOf(atMs), element('p', 'words', words), waiting, bytes);
  rows.set(id, row);
  prepend(commands, row);
  return row;
}

function copyButton(line: string): HTMLElement {
  const button = element('button', 'copy', 'Copy as curl');
  button.setAttribute('type', 'button');
  button.addEventListener('click', () => {
    const said = (text: string) => () => (button.textContent = text);
    navigator.clipboard.writeText(line).then(said('Copied'), said('Not copied: the browser refused'));
  });
  return button;
}

function describeReply({ outcome, status, words }: ReplyEntry): HTMLElement {
  const badge = element('span', `badge ${outcome}`, status === '' ? 'no reply' : status);
  return element('p', 'reply', badge, ' ', words);
}

function describeText({ text, x, y, w, h }: DrawnText): HTMLElement {
  const place = element('span', 'place', `${x},${y} ${w}×${h}`);
  return element('p', 'drawn', element('span', 'text', text), ' ', place);
}

function timeOf(atMs: number): HTMLElement {
  const date = new Date(atMs);
  const time = element('time', '', date.toLocaleTimeString('en-GB'));
  time.setAttribute('datetime', date.toISOString());
  return time;
}

function prepend(list: HTMLElement, row: HTMLElement): void {
  list.prepend(row);
  while (list.children.length > MAX_ENTRIES) list.lastElementChild?.remove();
}
