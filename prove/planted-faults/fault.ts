/** A defect to plant: in `file`, a path from its room's folder, `find` has to occur exactly once and becomes `replace`. */
export interface Fault {
  /** What the planted program does wrong, as a sentence without its subject. */
  name: string;
  file: string;
  find: string;
  replace: string;
  /** Other tests than the room's. */
  tests?: readonly string[];
}

/** The faults of one part of the repository; `tests` ought to catch them, as paths under test/ without `.test.ts`. */
export interface Room {
  name: string;
  folder: string;
  tests: readonly string[];
  faults: readonly Fault[];
}

/** A fault and what its room says of it; `path` is from the repository's root. */
export interface PlantedFault {
  room: string;
  name: string;
  path: string;
  find: string;
  replace: string;
  tests: readonly string[];
}

export function faultsOf({ name: room, folder, tests, faults }: Room): PlantedFault[] {
  return faults.map(({ file, ...fault }) => ({ room, path: `${folder}/${file}`, tests, ...fault }));
}

/** The source with the fault in it; throws an Error when `find` is not there exactly once or nothing would change. */
export function plant(
  source: string,
  { path, find, replace }: Pick<PlantedFault, 'path' | 'find' | 'replace'>,
): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times, not once: ${find}`);
  if (find === replace) throw new Error(`${path} would stay as it is: ${find}`);
  return parts.join(replace);
}
