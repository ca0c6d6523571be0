/** Values along a time axis; null is a gap. */
export type Points = readonly (number | null)[];

interface Plot {
  width: number;
  height: number;
  /** The values at the bottom and the top. */
  least: number;
  most: number;
}

const ROUND = [1, 1.5, 2, 3, 4, 5, 6, 8];

/** Returns the next round number that is not below the value; at least 1. */
export function niceCeiling(value: number): number {
  if (!(value > 1)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return (ROUND.find(factor => factor * power >= value) ?? 10) * power;
}

/**
 * Returns an SVG path through all points, interrupted at gaps. A single point between gaps is drawn as a
 * dash.
 */
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

/** Formats a value with at most one decimal. */
function short(value: number): string {
  return `${Math.round(value * 10) / 10}`;
}
