/** Where the plot of a picture is, in the units of its view box. */
export interface Plot {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The place of a value on an axis. */
export type Scale = (value: number) => number;

type Points = readonly (number | null)[];

const ROUND = [1, 1.5, 2, 3, 4, 5, 6, 8];

/** A round number that is not far above the value; at least 1. */
export function niceCeiling(value: number): number {
  if (!(value > 1)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return (ROUND.find(factor => factor * power >= value) ?? 10) * power;
}

/** Places `least` at the bottom of a plot and `most` at its top; in the middle if they are one. */
export function linearScale(least: number, most: number, { top, height }: Plot): Scale {
  return value => top + height * (most === least ? 0.5 : 1 - (value - least) / (most - least));
}

/** As `linearScale`, with equal room for equal ratios; `least` is above 0, lower values are put there. */
export function logarithmicScale(least: number, most: number, plot: Plot): Scale {
  const scale = linearScale(Math.log10(least), Math.log10(most), plot);
  return value => scale(Math.log10(Math.max(value, least)));
}

/** The powers of ten around all values that are there, one above the other at least. */
export function decadesAround(values: Points): { least: number; most: number } {
  const there = values.filter(value => value !== null && value > 0) as number[];
  const least = there.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const most = there.reduce((one, other) => Math.max(one, other), 0);
  if (most === 0) return { least: 1, most: 10 };
  const from = Math.floor(Math.log10(least));
  return { least: 10 ** from, most: 10 ** Math.max(from + 1, Math.ceil(Math.log10(most))) };
}

/** A path of bars for each row of values, which stand on those of the rows before it. */
export function stackedBars(rows: readonly (readonly number[])[], most: number, plot: Plot): string[] {
  const { left, top, width, height } = plot;
  const count = rows[0]?.length ?? 0;
  const step = width / count;
  const below = new Array<number>(count).fill(0);
  return rows.map(row => {
    let path = '';
    for (const [index, value] of row.entries()) {
      if (value <= 0) continue;
      const bottom = top + height * (1 - below[index]! / most);
      below[index]! += value;
      const tall = (height * value) / most;
      path += `M${short(left + index * step)} ${short(bottom)}v${short(-tall)}h${short(step * 0.8)}v${short(tall)}z`;
    }
    return path;
  });
}

/** A line through all points that are there, broken where they are not; one alone is a dash. */
export function linePath(points: Points, scale: Scale, plot: Plot): string {
  const x = placesOf(points.length, plot);
  return runsOf(points)
    .map(({ from, values }) => {
      const path = values.map((value, at) => `${short(x(from + at))} ${short(scale(value))}`).join('L');
      return values.length === 1 ? `M${path}h1` : `M${path}`;
    })
    .join('');
}

/** The area between two lines, where both are. */
export function bandPath(lower: Points, upper: Points, scale: Scale, plot: Plot): string {
  const x = placesOf(lower.length, plot);
  const both = lower.map((value, index) => (upper[index] === null ? null : value));
  return runsOf(both)
    .filter(({ values }) => values.length > 1)
    .map(({ from, values }) => {
      const there = values.map((value, at) => `${short(x(from + at))} ${short(scale(value))}`);
      const back = values.map((_, at) => `${short(x(from + at))} ${short(scale(upper[from + at] ?? 0))}`);
      return `M${[...there, ...back.reverse()].join('L')}z`;
    })
    .join('');
}

/** The middle of each of `count` equal parts of a plot. */
function placesOf(count: number, { left, width }: Plot): Scale {
  return index => left + ((index + 0.5) * width) / count;
}

/** Neighbours that are there, and the index of their first. */
function runsOf(points: Points): { from: number; values: number[] }[] {
  const runs: { from: number; values: number[] }[] = [];
  for (const [index, value] of points.entries()) {
    if (value === null) continue;
    if (index > 0 && points[index - 1] !== null) runs.at(-1)!.values.push(value);
    else runs.push({ from: index, values: [value] });
  }
  return runs;
}

/** With at most one decimal. */
function short(value: number): string {
  return `${Math.round(value * 10) / 10}`;
}
