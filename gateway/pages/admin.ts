import type { AdminNode, AdminState } from '../src/openapi/records.js';

const REFRESH_MS = 3000;

const keyForm = find('#key-form', HTMLFormElement);
const keyInput = find('#key', HTMLInputElement);
const keyResult = find('#key-result', HTMLOutputElement);
const panel = find('#panel', HTMLElement);
const connection = find('#connection', HTMLElement);
const nodeTable = find('#nodes', HTMLElement);
const addForm = find('#add-form', HTMLFormElement);
const writeResult = find('#write-result', HTMLOutputElement);

/** The admin key is kept only here, and is empty while the page is locked. */
let key = '';
let timer = 0;
const rows = new Map<string, HTMLTableRowElement>();
/** Names of the nodes that receive requests. */
let routed: readonly string[] = [];

function find<E extends HTMLElement>(selector: string, kind: new () => E): E {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, content = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = content;
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

async function open(event: Event): Promise<void> {
  event.preventDefault();
  key = keyInput.value;
  keyInput.value = '';
  say(keyResult, 'Requesting…');
  await refresh();
}

function lock(message = ''): void {
  clearTimeout(timer);
  key = '';
  rows.clear();
  for (const part of [nodeTable, ...panel.querySelectorAll('dl')]) part.replaceChildren();
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

function show(state: AdminState): void {
  const wasLocked = panel.hidden;
  keyForm.hidden = true;
  panel.hidden = false;
  say(connection, `As of ${new Date().toLocaleTimeString('en-GB')}`, 'hint');
  showNodes(state);
  showFacts('#gateway', gatewayFacts(state));
  showFacts('#traffic', trafficFacts(state));
  showFacts('#system', systemFacts(state));
  if (wasLocked) find('#ip', HTMLInputElement).focus();
}

/** Rows are reused so that a button keeps its focus. */
function showNodes({ nodes, gateway }: AdminState): void {
  routed = nodes.filter(node => node.routed).map(nameOf);
  find('#no-nodes', HTMLElement).hidden = nodes.length > 0;
  const current = new Set(nodes.map(nameOf));
  for (const [name, row] of rows) {
    if (current.has(name)) continue;
    row.remove();
    rows.delete(name);
  }
  for (const node of nodes) {
    const row = rows.get(nameOf(node)) ?? addRow(node);
    for (const [at, [text, kind]] of cellsOf(node, gateway.genesis_hash).entries()) {
      const cell = row.cells[at + 1]!;
      say(cell.querySelector('span') ?? cell, text, kind);
    }
    for (const button of row.querySelectorAll('button')) {
      const { action } = button.dataset;
      button.ariaDisabled = String(action !== 'remove' && (action === 'uncordon') !== node.cordoned);
    }
  }
}

const nameOf = ({ host, ip, port }: AdminNode) => `${host ?? (ip.includes(':') ? `[${ip}]` : ip)}:${port}`;

type Cell = [text: string, kind: string];

function cellsOf(node: AdminNode, genesisHash: string | undefined): Cell[] {
  const { latency_ms: latencyMs, genesis_hash: ownGenesis } = node;
  const agrees = ownGenesis === genesisHash;
  return [
    [node.role, ''],
    [node.source, ''],
    healthOf(node),
    ownGenesis === undefined
      ? ['unknown', '']
      : [agrees ? 'agrees' : `different chain, ${ownGenesis.slice(0, 16)}…`, agrees ? 'good' : 'bad'],
    [node.behind === undefined ? (node.height ?? '–') : `${node.height}, ${node.behind} behind`, 'number'],
    [latencyMs === undefined ? '–' : `${Math.round(latencyMs)} ms`, 'number'],
    [`${node.requests}`, 'number'],
    [`${node.failures}`, 'number'],
  ];
}

function healthOf({ cordoned, answers, routed, broken, fault, other_fork: otherFork }: AdminNode): Cell {
  if (cordoned) return ['cordoned', 'bad'];
  if (!answers) return [fault ?? 'does not answer', 'bad'];
  if (otherFork !== undefined) return [`other fork than ${otherFork}, gets no requests`, 'bad'];
  if (!routed) return ['answers, gets no requests', 'bad'];
  return broken ? ['answers, asked last after poor answers', 'bad'] : ['answers', 'good'];
}

const BADGED = [3, 4];
type Action = 'cordon' | 'drain' | 'uncordon' | 'remove';

const ACTIONS: readonly [action: Action, label: string, done: string][] = [
  ['cordon', 'Cordon', 'Cordoned'],
  ['drain', 'Drain', 'Cordoned and drained'],
  ['uncordon', 'Uncordon', 'Uncordoned'],
  ['remove', 'Remove', 'Removed'],
];

function addRow(node: AdminNode): HTMLTableRowElement {
  const headings = panel.querySelectorAll('thead th');
  const name = nameOf(node);
  const row = element('tr');
  const heading = element('th', name);
  heading.scope = 'row';
  row.append(heading);
  for (let at = 1; at <= 8; at++) {
    const cell = row.insertCell();
    cell.dataset.name = headings[at]!.textContent;
    if (BADGED.includes(at)) cell.append(element('span'));
  }
  const address = { ip: node.ip, port: node.port, ...(node.host && { host: node.host }) };
  const buttons = element('div');
  buttons.className = 'buttons';
  for (const [action, label, done] of ACTIONS) {
    const button = element('button', label);
    button.type = 'button';
    button.ariaLabel = `${label} ${name}`;
    button.dataset.action = action;
    button.addEventListener('click', () => {
      if (button.ariaDisabled === 'true' || !isMeant(action, name)) return;
      void write(`/gateway/allowlist/${action}`, address, `${done} ${name}.`);
    });
    buttons.append(button);
  }
  row.insertCell().append(buttons);
  rows.set(name, row);
  nodeTable.append(row);
  return row;
}

/** Asks for confirmation before the last node is removed. */
function isMeant(action: Action, name: string): boolean {
  if (action === 'uncordon' || routed.length > 1 || routed[0] !== name) return true;
  return confirm(`${name} is the last node that requests go to. Without it, all requests fail. Continue?`);
}

function showFacts(selector: string, facts: [name: string, value: string][]): void {
  const elements = facts.flatMap(([name, value]) => [element('dt', name), element('dd', value)]);
  find(selector, HTMLElement).replaceChildren(...elements);
}

function gatewayFacts({ gateway, nodes }: AdminState): [string, string][] {
  return [
    ['Domain', gateway.domain],
    ['Mode', gateway.mode],
    ['Version', gateway.version],
    ['Uptime', duration(gateway.uptime_seconds)],
    ['Routed to', `${nodes.filter(node => node.routed).length} of ${nodes.length} nodes`],
    ['Chain', gateway.genesis_hash ?? 'unknown'],
  ];
}

function trafficFacts({ traffic }: AdminState): [string, string][] {
  const statuses = Object.entries(traffic.answers).filter(([, count]) => count > 0);
  return [
    ['Requests', `${traffic.requests}`],
    ...statuses.map(([digit, count]): [string, string] => [`Responses ${digit}xx`, `${count}`]),
    ['Sent', size(traffic.bytes_out)],
  ];
}

function systemFacts({ system: { cpu, memory, disk, uptime } }: AdminState): [string, string][] {
  return [
    ['Processors', `${cpu.count}, ${cpu.usage_percent} % busy`],
    ['Load', cpu.load_average.join(', ')],
    ['Memory free', `${size(memory.free_bytes)} of ${size(memory.total_bytes)}`],
    ['Process', size(memory.process_bytes)],
    ['Disk free', `${size(disk.free_bytes)} of ${size(disk.total_bytes)}`],
    ['System uptime', duration(uptime.system_seconds)],
  ];
}

function size(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 1440)} d ${Math.floor(minutes / 60) % 24} h ${minutes % 60} min`;
}

async function write(path: string, body: object, done: string): Promise<void> {
  say(writeResult, 'Requesting…');
  try {
    const { running = 0 } = await ask<{ running?: number }>(path, body);
    // The page is refreshed first, because the user's next action depends on the state that it shows.
    await refresh();
    say(writeResult, running === 0 ? done : `Cordoned; ${running} requests still run.`);
  } catch (error) {
    say(writeResult, explain(error), 'bad');
  }
}

async function add(event: Event): Promise<void> {
  event.preventDefault();
  const ip = find('#ip', HTMLInputElement);
  const port = find('#port', HTMLInputElement);
  const role = find('#role', HTMLSelectElement).value;
  const node = { ip: ip.value.trim(), ...(port.value && { port: Number(port.value) }), role };
  const place = port.value ? `:${port.value}` : ' with the default port';
  await write('/gateway/allowlist/add', node, `Added ${node.ip}${place}.`);
}

keyForm.addEventListener('submit', open);
addForm.addEventListener('submit', add);
find('#refresh', HTMLElement).addEventListener('click', () =>
  write('/gateway/allowlist/refresh', {}, 'Checked.'),
);
find('#lock', HTMLElement).addEventListener('click', () => lock());
