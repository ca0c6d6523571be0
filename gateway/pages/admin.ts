import type { AdminNode, AdminState } from '../src/pages/admin-state.js';

const REFRESH_MS = 3000;

const keyForm = find('#key-form', HTMLFormElement);
const keyInput = find('#key', HTMLInputElement);
const keyResult = find('#key-result', HTMLOutputElement);
const panel = find('#panel', HTMLElement);
const connection = find('#connection', HTMLElement);
const nodeList = find('#nodes', HTMLElement);
const writeResult = find('#write-result', HTMLOutputElement);

/** The admin key is kept only here, and is empty while the page is locked. */
let key = '';
let timer = 0;
/** Names of the nodes that receive requests. */
let routed: readonly string[] = [];

function find<E extends HTMLElement>(selector: string, kind: new () => E): E {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, content: string, kind = '') {
  const made = document.createElement(name);
  say(made, content, kind);
  return made;
}

function say(place: HTMLElement, text: string, kind = ''): void {
  place.textContent = text;
  place.className = kind;
}

/** An error response of the gateway. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function ask<Reply>(path: string, body?: object): Promise<Reply> {
  const response = await fetch(path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    cache: 'no-store',
    redirect: 'error',
  });
  const reply: Reply & { error?: string } = await response.json();
  if (response.ok) return reply;
  throw new Refusal(response.status, String(reply.error));
}

const explain = (error: unknown) =>
  error instanceof Refusal ? error.message : 'No response from the gateway.';

function lock(message = ''): void {
  clearTimeout(timer);
  key = '';
  for (const part of [nodeList, ...panel.querySelectorAll('dl')]) part.replaceChildren();
  panel.hidden = true;
  keyForm.hidden = false;
  say(connection, '');
  say(writeResult, '');
  say(keyResult, message, message && 'bad');
  keyInput.focus();
}

async function refresh(): Promise<void> {
  clearTimeout(timer);
  const asked = key;
  try {
    const state = await ask<AdminState>('/admin/state');
    if (asked !== key || key === '') return;
    show(state);
  } catch (error) {
    if (asked !== key || key === '') return;
    if (panel.hidden || (error instanceof Refusal && error.status === 401)) return lock(explain(error));
    say(connection, `${explain(error)} Retrying…`, 'bad');
  }
  clearTimeout(timer);
  timer = setTimeout(refresh, REFRESH_MS);
}

function show({ gateway, nodes, system: { cpu, memory, disk, uptime } }: AdminState): void {
  const wasLocked = panel.hidden;
  keyForm.hidden = true;
  panel.hidden = false;
  say(connection, `As of ${new Date().toLocaleTimeString('en-GB')}`, 'hint');
  routed = nodes.filter(node => node.routed).map(nameOf);
  showNodes(nodes);
  showFacts('#gateway', [
    ['Domain', gateway.domain],
    ['Mode', gateway.mode],
    ['Version', gateway.version],
    ['Uptime', duration(gateway.uptime_seconds)],
    ['Routed to', `${routed.length} of ${nodes.length} nodes`],
    ['Chain', gateway.genesis_hash ?? 'unknown'],
  ]);
  showFacts('#system', [
    ['Processors', `${cpu.count}`],
    ['Load', cpu.load_average.join(', ')],
    ['Memory free', `${size(memory.free_bytes)} of ${size(memory.total_bytes)}`],
    ['Process', size(memory.process_bytes)],
    ['Disk free', `${size(disk.free_bytes)} of ${size(disk.total_bytes)}`],
    ['System uptime', duration(uptime.system_seconds)],
  ]);
  if (wasLocked) find('#ip', HTMLInputElement).focus();
}

/** A button keeps its focus, and selected text stays selected, until the next change of the selection. */
function showNodes(nodes: readonly AdminNode[]): void {
  if (nodeList.contains(getSelection()?.focusNode ?? null) && !getSelection()?.isCollapsed) return;
  const focused = document.activeElement?.ariaLabel;
  nodeList.replaceChildren(...nodes.map(nodeItem));
  if (nodes.length === 0) nodeList.append(element('li', 'No node is admitted.', 'hint'));
  for (const button of nodeList.querySelectorAll('button')) if (button.ariaLabel === focused) button.focus();
}

const nameOf = ({ host, ip, port }: AdminNode) => `${host ?? (ip.includes(':') ? `[${ip}]` : ip)}:${port}`;

function nodeItem(node: AdminNode): HTMLLIElement {
  const name = nameOf(node);
  const item = element('li', '', 'row');
  const height = node.height === undefined ? [] : [`height ${node.height}`];
  const latency = node.latency_ms === undefined ? [] : [`${Math.round(node.latency_ms)} ms`];
  const counts = `${node.requests} requests, ${node.failures} failed`;
  const facts = [node.role, node.source, ...height, ...latency, counts].join(' · ');
  const button = element('button', 'Remove');
  button.type = 'button';
  button.ariaLabel = `Remove ${name}`;
  button.addEventListener('click', () => {
    if (!isMeant(name)) return;
    const { ip, port, host } = node;
    void write('/gateway/allowlist/remove', { ip, port, ...(host && { host }) }, `Removed ${name}.`);
  });
  const state = element('span', node.state, node.routed ? 'good' : 'bad');
  item.append(element('b', name), state, element('span', facts, 'hint'), button);
  return item;
}

/** Asks for confirmation before the last node is removed. */
function isMeant(name: string): boolean {
  if (routed.length > 1 || routed[0] !== name) return true;
  return confirm(`${name} is the last node that requests go to. Without it, all requests fail. Continue?`);
}

function showFacts(selector: string, facts: [name: string, value: string][]): void {
  const elements = facts.flatMap(([name, value]) => [element('dt', name), element('dd', value)]);
  find(selector, HTMLElement).replaceChildren(...elements);
}

function size(bytes: number): string {
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 1440)} d ${Math.floor(minutes / 60) % 24} h ${minutes % 60} min`;
}

async function write(path: string, body: object, done: string): Promise<void> {
  say(writeResult, 'Requesting…');
  try {
    await ask(path, body);
    // The page is refreshed first, because the user's next action depends on the state that it shows.
    await refresh();
    say(writeResult, done);
  } catch (error) {
    say(writeResult, explain(error), 'bad');
  }
}

keyForm.addEventListener('submit', async event => {
  event.preventDefault();
  key = keyInput.value;
  keyInput.value = '';
  say(keyResult, 'Requesting…');
  await refresh();
});
find('#add-form', HTMLFormElement).addEventListener('submit', async event => {
  event.preventDefault();
  const ip = find('#ip', HTMLInputElement).value.trim();
  const port = Number(find('#port', HTMLInputElement).value || 8884);
  const role = find('#role', HTMLSelectElement).value;
  await write('/gateway/allowlist/add', { ip, port, role }, `Added ${ip}:${port}.`);
});
find('#refresh', HTMLElement).addEventListener('click', () =>
  write('/gateway/allowlist/refresh', {}, 'Checked.'),
);
find('#lock', HTMLElement).addEventListener('click', () => lock());
