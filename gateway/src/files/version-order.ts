const VERSION = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/** Numbers and, for a prerelease, its identifiers (https://semver.org, §9). */
export interface Version {
  numbers: readonly number[];
  prerelease: readonly string[];
}

/** Reads `1.2.3` or `1.2.3-rc.1`, with or without a `v` in front; undefined for anything else. */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, prerelease] = VERSION.exec(text) ?? [];
  if (major === undefined) return undefined;
  return { numbers: [major, minor, patch].map(Number), prerelease: prerelease?.split('.') ?? [] };
}

/** Negative when the first version is the older one (semver §11). */
export function compareVersions(one: Version, other: Version): number {
  return (
    firstDifference(one.numbers, other.numbers, (a, b) => a - b) ||
    Number(one.prerelease.length === 0) - Number(other.prerelease.length === 0) ||
    firstDifference(one.prerelease, other.prerelease, compareIdentifiers) ||
    one.prerelease.length - other.prerelease.length
  );
}

function firstDifference<T>(one: readonly T[], other: readonly T[], compare: (a: T, b: T) => number): number {
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    const difference = compare(one[at]!, other[at]!);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Numbers by value and before words; words by their ASCII codes. */
function compareIdentifiers(one: string, other: string): number {
  const [isNumber, otherIsNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && otherIsNumber) return one.length - other.length || compareWords(one, other);
  return Number(otherIsNumber) - Number(isNumber) || compareWords(one, other);
}

function compareWords(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
