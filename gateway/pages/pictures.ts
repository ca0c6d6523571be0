import type { AdminNode, AdminState, NodeHistory } from '../src/pages/admin-state.js';
import { linePath, niceCeiling, type Points } from '../src/pages/drawing.js';

const SVG = 'http://www.w3.org/2000/svg';
const SIZE = { width: 360, height: 100 };
/** Space above and below the plot, so that lines along its edges are visible. */
const EDGE = 2;

const CLASSES = [
  ['2', 'ok'],
  ['3', 'other'],
  ['4', 'warn'],
  ['5', 'fail'],
] as const;

type Line = [kind: string, words: string, points: Points];

interface Picture {
  name: string;
  lines: Line[];
  /** Default: from 0 to a round number that is not below any point. */
  range?: [least: number, most: number];
  say?: (value: number) => string;
}

const PARTS = ['#pictures', '#node-pictures', '#more-nodes'] as const;

/** Draws the last hour into the page's elements for charts. */
export function drawHistory({ history, nodes }: AdminState): void {
  const { answers, p50_ms: p50, p99_ms: p99, cache_reads: reads } = history;
  const counted = (kind: string, label: string, counts: number[] = []): Line => [
    kind,
    `${label} ${whole(counts.reduce((sum, count) => sum + count, 0))}`,
    counts,
  ];
  const [pictures, nodePictures, more] = PARTS.map(find);
  pictures!.replaceChildren(
    drawn({
      name: 'Requests per half minute',
      lines: CLASSES.map(([digit, kind]) => counted(kind, `${digit}xx`, answers[digit])),
    }),
    drawn({
      name: 'Response time',
      lines: [
        ['warn', `p99 ${time(lastOf(p99))}`, p99],
        ['ok', `p50 ${time(lastOf(p50))}`, p50],
      ],
      say: time,
    }),
    drawn({
      name: 'Cached reads per half minute',
      lines: [
        counted('ok', 'memory', reads.hit),
        counted('other', 'shared', reads.shared),
        counted('rest', 'node', reads.miss),
      ],
    }),
  );
  nodePictures!.replaceChildren(...drawNodes(history.nodes, nodes));
  const left = nodes.length - history.nodes.length;
  more!.textContent = left > 0 ? `${whole(left)} more nodes have no pictures.` : '';
}

export function clearHistory(): void {
  for (const part of PARTS) find(part).replaceChildren();
}

/** All nodes are drawn with the same scales, so that a stalled node stands out. */
function drawNodes(histories: readonly NodeHistory[], nodes: readonly AdminNode[]): HTMLElement[] {
  const heights = there(histories.flatMap(node => node.heights));
  const range: [number, number] =
    heights.length === 0 ? [0, 1] : [Math.min(...heights), Math.max(...heights)];
  const slowest = niceCeiling(Math.max(1, ...there(histories.flatMap(node => node.latencies_ms))));
  return histories.flatMap(({ ip, port, heights, latencies_ms: latencies }) => {
    const height = nodes.find(node => node.ip === ip && node.port === port)?.height ?? '–';
    const state = (heights.at(-1) ?? null) === null ? 'does not answer' : `height ${height}`;
    const latency = `latency ${time(latencies.at(-1) ?? undefined)}`;
    return [
      drawn({ name: `Height of ${ip}:${port}`, lines: [['ok', state, heights]], range }),
      drawn({
        name: `Latency of ${ip}:${port}`,
        lines: [['other', latency, latencies]],
        range: [0, slowest],
        say: time,
      }),
    ];
  });
}

function drawn({ name, lines, range, say = whole }: Picture): HTMLElement {
  const highest = Math.max(1, ...there(lines.flatMap(([, , points]) => points)));
  const [least, most] = range ?? [0, niceCeiling(highest)];
  const { width, height } = SIZE;
  const svg = shape('svg', {
    role: 'img',
    viewBox: `0 ${-EDGE} ${width} ${height + 2 * EDGE}`,
    'aria-label': `${name}, last hour: ${lines.map(([, words]) => words).join(', ')}`,
  });
  svg.append(shape('path', { class: 'grid', d: `M0 0h${width}M0 ${height}h${width}` }));
  for (const [kind, , points] of lines) {
    svg.append(shape('path', { class: `line ${kind}`, d: linePath(points, { ...SIZE, least, most }) }));
  }
  const legend = element('p', '', 'legend');
  legend.append(...lines.map(([kind, words]) => element('span', words, kind)));
  const caption = element('figcaption', `${name} `);
  caption.append(element('small', `${say(least)} to ${say(most)}`));
  const figure = element('figure', '');
  figure.append(caption, svg, legend);
  return figure;
}

export function element(name: string, content: string, kind = ''): HTMLElement {
  const made = document.createElement(name);
  made.textContent = content;
  made.className = kind;
  return made;
}

function shape(name: string, attributes: Record<string, string>): Element {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function find(selector: string): Element {
  const found = document.querySelector(selector);
  if (found === null) throw new Error(`the page has no ${selector}`);
  return found;
}

const there = (values: Points) => values.filter(value => value !== null);
const lastOf = (values: Points) => there(values).at(-1);
const whole = (value: number) => value.toLocaleString('en-GB');

function time(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '–';
  if (milliseconds >= 1000) return `${Number((milliseconds / 1000).toPrecision(2))} s`;
  return `${Number(milliseconds.toPrecision(2))} ms`;
}
