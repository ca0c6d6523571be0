import { closestMatch } from 'leven';

/**
 * Faults that are injected into the gateway of a development network, for developers of hosts. Shares are
 * numbers from 0 to 1.
 */
export interface Chaos {
  /** Share of requests whose connection is closed before they are handled. */
  drop?: number;
  /** Share of broadcasts that are accepted but not answered. */
  dropAfter?: number;
  /** Share of requests that are answered with 503 before they are handled. */
  busy?: number;
  /** Delay of each request in milliseconds. If it is a range, each delay is random within it. */
  delayMs?: number | readonly [min: number, max: number];
  /** Whether the response to a broadcast has a different transaction hash. */
  alteredHash?: boolean;
  /**
   * Whether the gateway's node/info lacks signing_version and signing_tag, as with older gateways. Requests to
   * the gateway under the hostname of a node still receive them.
   */
  hideSigningVersion?: boolean;
  /**
   * Whether signing_version and signing_tag are missing everywhere, as with nodes older than chain-bound
   * signing.
   */
  noSigningVersion?: boolean;
  /**
   * Whether the gateway's node/info reports another chain. Under the hostname of a node, the true chain is
   * reported.
   */
  wrongGenesis?: boolean;
  /**
   * Seed of the faults. The same seed and the same order of requests give the same faults. Default: random.
   */
  seed?: number;
}

/** Thrown for an unknown kind of fault, or for an invalid value of one. */
export class ChaosError extends Error {
  override readonly name = 'ChaosError';
  readonly code = 'BAD_CHAOS';

  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** A kind of fault, as it is written after `--chaos`. */
interface ChaosKind {
  name: string;
  /** Placeholder of the value, in brackets if the value is optional. It is empty if the kind has no value. */
  value: string;
  meaning: string;
  /** Returns the fields of Chaos that this kind sets. `value` is undefined if it was omitted. */
  parse: (value: string | undefined) => Chaos;
}

const MAX_DELAY_MS = 60_000;
const ALWAYS = 1;

/** All kinds of faults, in the order of the help. */
export const CHAOS_KINDS: readonly ChaosKind[] = [
  {
    name: 'drop',
    value: '=P',
    meaning: 'cut the connection before anything is done, for the share P (0 to 1) of all requests',
    parse: value => ({ drop: parseShare('drop', value) }),
  },
  {
    name: 'drop-after',
    value: '[=P]',
    meaning: 'accept a broadcast, then cut its connection without an answer [always]',
    parse: value => ({ dropAfter: value === undefined ? ALWAYS : parseShare('drop-after', value) }),
  },
  {
    name: 'delay',
    value: '=MS, =MIN-MAX',
    meaning: 'delay every answer by this many milliseconds',
    parse: value => ({ delayMs: parseDelayMs(value) }),
  },
  {
    name: 'busy',
    value: '=P',
    meaning: 'answer 503 for the share P of all requests',
    parse: value => ({ busy: parseShare('busy', value) }),
  },
  {
    name: 'altered-hash',
    value: '',
    meaning: 'report a wrong transaction hash in the response to a broadcast',
    parse: value => flag('altered-hash', value, { alteredHash: true }),
  },
  {
    name: 'hide-signing-version',
    value: '',
    meaning: "omit signing_version from node/info, except under a node's hostname",
    parse: value => flag('hide-signing-version', value, { hideSigningVersion: true }),
  },
  {
    name: 'no-signing-version',
    value: '',
    meaning: 'omit signing_version everywhere, as nodes older than chain-bound signing do',
    parse: value => flag('no-signing-version', value, { noSigningVersion: true }),
  },
  {
    name: 'wrong-genesis',
    value: '',
    meaning: "report another chain in node/info, except under a node's hostname",
    parse: value => flag('wrong-genesis', value, { wrongGenesis: true }),
  },
];

function parseShare(name: string, value: string | undefined): number {
  const share = /^(\d(\.\d{1,9})?|\.\d{1,9})$/.test(value ?? '') ? Number(value) : Number.NaN;
  if (!(share >= 0 && share <= 1)) {
    throw new ChaosError(`chaos ${name} takes a share from 0 to 1, such as ${name}=0.2`);
  }
  return share;
}

function parseDelayMs(value: string | undefined): number | [number, number] {
  const [, from, to] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(value ?? '') ?? [];
  const min = Number(from ?? Number.NaN);
  const max = Number(to ?? min);
  if (!(min <= max && max <= MAX_DELAY_MS)) {
    throw new ChaosError('chaos delay takes milliseconds up to 60000, such as delay=250 or delay=100-500');
  }
  return to === undefined ? min : [min, max];
}

function flag(name: string, value: string | undefined, chaos: Chaos): Chaos {
  if (value !== undefined) throw new ChaosError(`chaos ${name} takes no value`);
  return chaos;
}

const NAMES = CHAOS_KINDS.map(({ name }) => name);

/**
 * Parses texts in the format of `--chaos`, such as `['drop=0.2,altered-hash', 'delay=100-500']`. Throws
 * ChaosError.
 */
export function parseChaos(specs: readonly string[]): Chaos {
  let chaos: Chaos = {};
  const given = new Set<string>();
  for (const spec of specs.flatMap(words => words.split(',')).map(word => word.trim())) {
    const [name = '', ...rest] = spec.split('=');
    const kind = CHAOS_KINDS.find(known => known.name === name);
    if (kind === undefined) throw unknown(name);
    if (given.has(name)) throw new ChaosError(`chaos ${name} was given more than once`);
    given.add(name);
    chaos = { ...chaos, ...kind.parse(rest.length === 0 ? undefined : rest.join('=')) };
  }
  return chaos;
}

function unknown(word: string): ChaosError {
  const near = closestMatch(word, NAMES, { maxDistance: Math.max(1, Math.floor(word.length / 3)) });
  const hint = near === undefined ? `Expected one of ${NAMES.join(', ')}.` : `Did you mean ${near}?`;
  return new ChaosError(`unknown chaos ${JSON.stringify(word.slice(0, 40))}`, hint);
}

/** The greatest seed that `--chaos-seed` accepts. */
export const MAX_SEED = 2 ** 31 - 1;

/** Returns a random seed from 0 to MAX_SEED. */
export function randomSeed(): number {
  return Math.floor(Math.random() * (MAX_SEED + 1));
}
