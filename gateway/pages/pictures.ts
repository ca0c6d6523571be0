import type { AdminNode, AdminState, NodeHistory } from '../src/pages/admin-state.js';
import {
  bandPath,
  decadesAround,
  linearScale,
  linePath,
  logarithmicScale,
  niceCeiling,
  type Plot,
  type Scale,
  stackedBars,
} from '../src/pages/drawing.js';

const SVG = 'http://www.w3.org/2000/svg';

const WIDE = { width: 360, height: 132 };
const WIDE_PLOT: Plot = { left: 48, top: 8, width: 310, height: 104 };
const SMALL = { width: 180, height: 44 };
const SMALL_PLOT: Plot = { left: 1, top: 4, width: 178, height: 36 };

const CLASSES: readonly [digit: string, kind: string][] = [
  ['2', 'ok'],
  ['3', 'other'],
  ['4', 'warn'],
  ['5', 'fail'],
];

type Words = [kind: string, text: string];

/** Draws the last hour into the elements of the page. */
export function drawHistory({ history, nodes }: AdminState): void {
  drawRequests(history);
  drawTimes(history);
  drawCache(history);
  drawNodes(history.nodes, nodes);
}

function drawRequests({ answers }: AdminState['history']): void {
  const rows = CLASSES.map(([digit]) => answers[digit] ?? []);
  const totals = rows.map(sum);
  const all = sum(totals);
  const share = (count: number) => `${((100 * count) / all).toFixed(count === all ? 0 : 1)} %`;
  const legend = CLASSES.map(
    ([digit, kind], index): Words => [kind, `${digit}xx ${whole(totals[index] ?? 0)}`],
  );
  const spoken =
    all === 0
      ? 'No requests.'
      : `${whole(all)} requests: ${CLASSES.map(([digit], index) => `${digit}xx ${share(totals[index] ?? 0)}`).join(', ')}.`;
  drawBars(
    'requests',
    rows,
    CLASSES.map(([, kind]) => kind),
    legend,
    spoken,
  );
}

function drawCache({ cache_reads: { hit, shared, miss } }: AdminState['history']): void {
  const [hits, joined, missed] = [sum(hit), sum(shared), sum(miss)];
  const all = hits + joined + missed;
  const rate = all === 0 ? '–' : `${Math.round((100 * (hits + joined)) / all)} %`;
  const legend: Words[] = [
    ['ok', `memory ${whole(hits)}`],
    ['other', `shared ${whole(joined)}`],
    ['rest', `node ${whole(missed)}`],
  ];
  const spoken =
    all === 0
      ? 'No reads that memory could answer.'
      : `${whole(all)} reads: ${whole(hits)} from memory, ${whole(joined)} shared with a question under way, ${whole(missed)} from a node. ${rate} without asking a node.`;
  drawBars('cache', [hit, shared, miss], ['ok', 'other', 'rest'], legend, spoken);
  text('#cache-rate', all === 0 ? '' : `${rate} without a node`);
}

function drawBars(name: string, rows: number[][], kinds: string[], legend: Words[], spoken: string): void {
  const highest = (rows[0] ?? []).map((_, index) => sum(rows.map(row => row[index] ?? 0)));
  const most = niceCeiling(Math.max(1, ...highest));
  const scale = linearScale(0, most, WIDE_PLOT);
  const marks = [0, most / 2, most].filter(Number.isInteger);
  const paths = stackedBars(rows, most, WIDE_PLOT).map((d, index) =>
    shape('path', { class: kinds[index]!, d }),
  );
  fill(`#${name}`, WIDE, spoken, [...axes(marks, scale, compact), ...paths]);
  showLegend(`#${name}-legend`, legend);
}

function drawTimes({ p50_ms: p50, p99_ms: p99 }: AdminState['history']): void {
  const { least, most } = decadesAround([...p50, ...p99]);
  const scale = logarithmicScale(least, most, WIDE_PLOT);
  const marks: number[] = [];
  for (let mark = least; mark <= most * 1.001; mark *= 10) marks.push(mark);
  const now = [lastOf(p50), lastOf(p99)];
  fill(
    '#times',
    WIDE,
    now[0] === undefined
      ? 'No requests.'
      : `At last half of the requests took ${time(now[0])} at most, 99 of 100 ${time(now[1])}; the slowest 99th percentile was ${time(greatest(p99))}.`,
    [
      ...axes(marks, scale, time),
      shape('path', { class: 'band', d: bandPath(p50, p99, scale, WIDE_PLOT) }),
      shape('path', { class: 'line warn', d: linePath(p99, scale, WIDE_PLOT) }),
      shape('path', { class: 'line ok', d: linePath(p50, scale, WIDE_PLOT) }),
    ],
  );
  showLegend('#times-legend', [
    ['ok', `p50 ${time(now[0])}`],
    ['warn', `p99 ${time(now[1])}`],
  ]);
}

/** All nodes on the same scales: one that stands still is seen beside those that do not. */
function drawNodes(histories: readonly NodeHistory[], nodes: readonly AdminNode[]): void {
  const list = find('#node-pictures');
  const heights = there(histories.flatMap(node => node.heights));
  const height = linearScale(Math.min(...heights), Math.max(...heights), SMALL_PLOT);
  const slowest = niceCeiling(Math.max(1, ...there(histories.flatMap(node => node.latencies_ms))));
  const latency = linearScale(0, slowest, SMALL_PLOT);
  while (list.children.length > histories.length) list.lastElementChild?.remove();
  for (const [index, node] of histories.entries()) {
    const item = list.children[index] ?? list.appendChild(nodeItem());
    const [name, role, heightFigure, latencyFigure] = item.children as unknown as HTMLElement[];
    const known = nodes.find(({ ip, port }) => ip === node.ip && port === node.port);
    name!.textContent = `${node.ip}:${node.port}`;
    role!.textContent = known?.role ?? '';
    const answers = lastOf(node.heights) !== undefined && node.heights.at(-1) !== null;
    drawSmall(heightFigure!, `Height of ${node.ip}:${node.port}`, {
      caption: answers ? `height ${known?.height ?? '–'}` : 'does not answer',
      points: node.heights,
      scale: height,
      kind: 'ok',
    });
    const latest = node.latencies_ms.at(-1) ?? undefined;
    drawSmall(latencyFigure!, `Latency of ${node.ip}:${node.port}, at most ${time(slowest)} on this scale`, {
      caption: `latency ${time(latest)}`,
      points: node.latencies_ms,
      scale: latency,
      kind: 'other',
    });
  }
  const left = nodes.length - histories.length;
  text('#more-nodes', left > 0 ? `${whole(left)} more nodes have no pictures.` : '');
}

/** Leaves nothing but the pictures' names. */
export function clearHistory(): void {
  for (const name of ['requests', 'times', 'cache']) {
    clear(find(`#${name}`));
    find(`#${name}-legend`).replaceChildren();
  }
  for (const selector of ['#cache-rate', '#more-nodes', '#node-pictures']) find(selector).replaceChildren();
}

/** Leaves a picture's name. */
function clear(svg: Element): void {
  while (svg.children.length > 1) svg.lastElementChild?.remove();
}

interface Small {
  caption: string;
  points: readonly (number | null)[];
  scale: Scale;
  kind: string;
}

function drawSmall(figure: HTMLElement, title: string, { caption, points, scale, kind }: Small): void {
  const [svg, words] = figure.children;
  words!.textContent = caption;
  svg!.replaceChildren(
    titled('title', title),
    titled('desc', `Last hour; now ${caption}.`),
    shape('path', { class: 'grid', d: `M0 ${SMALL.height - 0.5}h${SMALL.width}` }),
    shape('path', { class: `line ${kind}`, d: linePath(points, scale, SMALL_PLOT) }),
  );
}

function nodeItem(): HTMLElement {
  const item = document.createElement('li');
  item.append(document.createElement('code'), document.createElement('span'));
  for (let count = 0; count < 2; count++) {
    const figure = document.createElement('figure');
    const svg = shape('svg', { role: 'img', viewBox: `0 0 ${SMALL.width} ${SMALL.height}` });
    figure.append(svg, document.createElement('figcaption'));
    item.append(figure);
  }
  return item;
}

/** Lines and words of the vertical axis, and the times below. */
function axes(marks: readonly number[], scale: Scale, say: (value: number) => string): SVGElement[] {
  const { left, top, width, height } = WIDE_PLOT;
  const rows = marks.flatMap(mark => {
    const y = Math.round(scale(mark)) + 0.5;
    return [
      shape('path', { class: 'grid', d: `M${left} ${y}h${width}` }),
      words({ x: left - 6, y: y + 3.5, 'text-anchor': 'end' }, say(mark)),
    ];
  });
  const y = top + height + 15;
  return [
    ...rows,
    words({ x: left, y }, '60 min ago'),
    words({ x: left + width / 2, y, 'text-anchor': 'middle' }, '30'),
    words({ x: left + width, y, 'text-anchor': 'end' }, 'now'),
  ];
}

function fill(selector: string, size: typeof WIDE, spoken: string, shapes: SVGElement[]): void {
  const svg = find(selector);
  svg.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
  clear(svg);
  svg.append(titled('desc', spoken), ...shapes);
}

function showLegend(selector: string, legend: Words[]): void {
  find(selector).replaceChildren(
    ...legend.map(([kind, label]) => {
      const entry = document.createElement('span');
      entry.className = kind;
      entry.textContent = label;
      return entry;
    }),
  );
}

function shape(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS(SVG, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function titled(name: string, content: string): SVGElement {
  const element = shape(name, {});
  element.textContent = content;
  return element;
}

function words({ x, y, ...others }: Record<string, number | string>, content: string): SVGElement {
  const element = shape('text', { x: `${x}`, y: `${y}`, ...(others as Record<string, string>) });
  element.textContent = content;
  return element;
}

function find(selector: string): HTMLElement | SVGElement {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement || found instanceof SVGElement))
    throw new Error(`the page has no ${selector}`);
  return found;
}

function text(selector: string, content: string): void {
  find(selector).textContent = content;
}

const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
const there = (values: readonly (number | null)[]) => values.filter(value => value !== null) as number[];
const lastOf = (values: readonly (number | null)[]) => there(values).at(-1);
const greatest = (values: readonly (number | null)[]) =>
  there(values).reduce((one, other) => Math.max(one, other), 0);
const whole = (value: number) => value.toLocaleString('en-GB');

const compact = (value: number) =>
  value < 10_000 ? `${value}` : value.toLocaleString('en-GB', { notation: 'compact' });

function time(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '–';
  if (milliseconds >= 1000) return `${Number((milliseconds / 1000).toPrecision(2))} s`;
  return `${Number(milliseconds.toPrecision(2))} ms`;
}
