/** Values of an axis of time; null where there is none. */
export type Points = readonly (number | null)[];

interface Plot {
  width: number;
  height: number;
  /** The values at its bottom and at its top. */
  least: number;
  most: number;
}

const ROUND = [1, 1.5, 2, 3, 4, 5, 6, 8];

/** A round number that is not far above the value; at least 1. */
export function niceCeiling(value: number): number {
  if (!(value > 1)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return (ROUND.find(factor => factor * power >= value) ?? 10) * power;
}

/** An SVG path through all points that are there, broken where they are not; one alone is a dash. */
export function linePath(points: Points, { width, height, least, most }: Plot): string {
  return points
    .map((value, index) => {
      if (value === null) return '';
      const isFirst = (points[index - 1] ?? null) === null;
      const isLast = (points[index + 1] ?? null) === null;
      const share = most === least ? 0.5 : (value - least) / (most - least);
      const place = `${short(((index + 0.5) * width) / points.length)} ${short(height * (1 - share))}`;
      return `${isFirst ? 'M' : 'L'}${place}${isFirst && isLast ? 'h1' : ''}`;
    })
    .join('');
}

/** With at most one decimal. */
function short(value: number): string {
  return `${Math.round(value * 10) / 10}`;
}
