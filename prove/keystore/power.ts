// power MODULE: proves that at most ten attempts at a PIN are possible until a correct one. At every vault
// call of every unlock, change and erasure, it tries a wrong answer, a missing effect, and a power cut before
// and after the effect. --control MODULE…: checks modules with a planted fault, each of which must be found.
import { EMPTY_VAULT, type VaultFault, type VaultState } from '../../testkit/device/fake-vault.js';
import { keystore } from '../../testkit/repository/vectors.js';
import { runProofs, UnprovenClaim } from '../control.js';
import { openWithGlobals } from '../wasm/exports.js';
import { BOTH, HAS_NOISE, HAS_VAULT, Machine, RIGHT, stream } from './machine.js';
import { chooseDigit, follow, Guesser, Restorer, type SimulatedUser, UserWithPin } from './simulated-user.js';

const NOISE = stream('power', 1 << 16);
const FAULTS: VaultFault[] = [0, 'cut before', 'cut after'];
/** Calls that, in some trials, report success without any effect. */
const UNNOTICED = ['begin_attempt', 'stretch'];
const [dice, another] = keystore.seeds.filter(
  ({ words, passphrase }) => words === 12 && passphrase === '',
) as [(typeof keystore.seeds)[0], (typeof keystore.seeds)[0]];
const RIGHT_PIN = '314159';
const NEW_PIN = '271828';
const WRONG_PIN = '999999';
const MOST_TRIES = 10;

/** The failing call, numbered from 0, and its failure; or a vault that replaces the record and its proof. */
interface Trial {
  at: number;
  fault?: VaultFault;
  vault?: VaultState;
}

interface End {
  machine: Machine;
  vault: VaultState;
  /** Calls of the vault, without their arguments. */
  calls: string[];
  /** Number of attempts: PINs for which the chip's key was used. */
  stretched: number;
}

class Board {
  constructor(
    readonly prepared: WebAssembly.Module,
    private readonly chipKey?: string,
  ) {}

  /** Starts with a vault and acts like a simulated user, with one failing call of the vault. */
  run(
    vault: VaultState,
    user: SimulatedUser | undefined,
    trial?: Trial,
    onOpen?: (machine: Machine) => void,
  ): End {
    const machine = new Machine(this.prepared, NOISE, { chipKey: this.chipKey });
    machine.vault = { ...vault, mayStretch: false };
    let calls = 0;
    machine.onVault = () => {
      if (calls++ !== trial?.at) return undefined;
      if (trial.vault) machine.vault = { ...trial.vault, count: machine.vault.count };
      return trial.fault;
    };
    try {
      machine.boot(HAS_NOISE | HAS_VAULT);
      if (user && follow(machine, user) && machine.seed) onOpen?.(machine);
    } catch (error) {
      if ((error as Error).name !== 'PowerCut') throw error;
    }
    const made = machine.calls.map(call => call.split(' ')[0]!).filter(call => call !== 'noise');
    const undone = trial && trial.fault !== 'cut after' && made[trial.at] === 'stretch' ? 1 : 0;
    return {
      machine,
      vault: { ...machine.vault, mayStretch: false },
      calls: made,
      stretched: made.filter(call => call === 'stretch').length - undone,
    };
  }

  opens(vault: VaultState, pin: string): boolean {
    const { machine } = this.run({ ...vault, count: Math.min(vault.count, 9) }, new Guesser(pin));
    return machine.seed !== undefined;
  }
}

/** Enters a PIN of six digits at their shown positions. */
function enterPin(machine: Machine, pin: string): void {
  for (const digit of pin)
    for (let half = 0; half < 2; half++) machine.press(chooseDigit(machine.texts, digit) ?? 0);
}

const userWithPin = ({ mnemonic, fingerprint } = dice, pin = RIGHT_PIN) =>
  new UserWithPin(new Restorer(mnemonic.split(' '), fingerprint), pin);

/** Trials for each call of a run, with each kind of failure. */
function* trialsOf(calls: readonly string[]): Generator<Trial> {
  for (const [at, call] of calls.entries())
    for (const fault of UNNOTICED.includes(call) ? ([...FAULTS, 'silent'] as const) : FAULTS)
      yield { at, fault };
}

/**
 * Computes the maximum number of attempts since the last correct one, for each count of the vault, over all
 * reachable states. Throws if a maximum is too large.
 */
function proveTries(board: Board, stored: VaultState): string {
  const most = new Map<number, number>([[0, 0]]);
  const queue = [0];
  let trials = 0;
  for (const count of queue) {
    const tries = most.get(count)!;
    const vault = { ...stored, count };
    for (const pin of [WRONG_PIN, RIGHT_PIN]) {
      const whole = board.run(vault, new Guesser(pin));
      for (const trial of [undefined, ...trialsOf(whole.calls)]) {
        const end = trial ? board.run(vault, new Guesser(pin), trial) : whole;
        trials++;
        judgeTry(end, pin, trial);
        if (end.vault.record === undefined) continue;
        const clears = end.calls.includes('clear_attempts');
        if (clears && pin === WRONG_PIN) throw new UnprovenClaim(`a wrong PIN clears the count of ${count}`);
        const isCleared = clears && end.vault.count === 0;
        const made = isCleared ? 0 : tries + end.stretched;
        if (made > MOST_TRIES)
          throw new UnprovenClaim(
            `${made} attempts are possible, after ${end.calls.join()} with ${describe(trial)}`,
          );
        if (made <= (most.get(end.vault.count) ?? -1)) continue;
        most.set(end.vault.count, made);
        queue.push(end.vault.count);
      }
    }
  }
  const worst = Math.max(...most.values());
  return `${trials} attempts with one failing call, at counts of ${Math.min(...most.keys())} to ${Math.max(...most.keys())}: at most ${worst} attempts between two right PINs`;
}

function judgeTry({ machine, calls }: End, pin: string, trial: Trial | undefined): void {
  const { seed } = machine;
  if (seed && pin !== RIGHT_PIN) throw new UnprovenClaim(`a wrong PIN opens with ${describe(trial)}`);
  if (seed && seed.hex !== dice.seed) throw new UnprovenClaim(`another seed opens with ${describe(trial)}`);
  if (trial?.fault === 0 && trial.at < calls.length && machine.texts.join() !== 'Vault,has failed')
    throw new UnprovenClaim(`the failure of ${calls[trial.at]} is not noticed: ${machine.texts.join(' / ')}`);
  if (trial?.fault === 'silent' && seed)
    throw new UnprovenClaim(`a call of ${calls[trial.at]} without an effect is not noticed`);
}

const describe = (trial: Trial | undefined) =>
  trial ? `call ${trial.at} failing (${trial.fault})` : 'no failing call';

/**
 * Proves that a change of PIN is atomic: after any failure, exactly one of the two PINs opens the record.
 * Without a failure, the new PIN opens it.
 */
function proveChange(board: Board, vault: VaultState): string {
  const change = (machine: Machine) => {
    machine.app.open_menu();
    while (machine.texts[0] !== 'Change PIN') machine.press(RIGHT);
    machine.press(BOTH);
    enterPin(machine, RIGHT_PIN);
    machine.press(RIGHT);
    enterPin(machine, NEW_PIN);
    enterPin(machine, NEW_PIN);
  };
  const opening = board.run(vault, new Guesser(RIGHT_PIN)).calls.length;
  const { calls, vault: changed } = board.run(vault, new Guesser(RIGHT_PIN), undefined, change);
  if (!board.opens(changed, NEW_PIN)) throw new UnprovenClaim('a change of the PIN has no effect');
  let trials = 0;
  for (const trial of trialsOf(calls)) {
    if (trial.at < opening) continue;
    const end = board.run(vault, new Guesser(RIGHT_PIN), trial, change);
    const opens = [RIGHT_PIN, NEW_PIN].filter(pin => board.opens(end.vault, pin));
    if (opens.length !== 1)
      throw new UnprovenClaim(`${opens.length} PINs open after a change with ${describe(trial)}`);
    if (end.vault.count > 2)
      throw new UnprovenClaim(`a change of the PIN counts ${end.vault.count} attempts`);
    trials++;
  }
  return `${trials} changes of a PIN with one failing call: either the old PIN opens or the new one, never both`;
}

/** Proves that a new record is complete or absent, and that an erased record does not return. */
function proveStoring(board: Board, vault: VaultState): string {
  const { calls } = board.run(EMPTY_VAULT, userWithPin());
  let trials = 0;
  for (const trial of trialsOf(calls)) {
    const end = board.run(EMPTY_VAULT, userWithPin(), trial);
    trials++;
    const isStored = end.vault.record !== undefined;
    if (isStored && !board.opens(end.vault, RIGHT_PIN))
      throw new UnprovenClaim(`no PIN opens a stored record: ${describe(trial)}`);
    if (isStored && board.opens(end.vault, WRONG_PIN))
      throw new UnprovenClaim(`a wrong PIN opens a stored record: ${describe(trial)}`);
  }
  const forget = (machine: Machine) => {
    machine.app.open_menu();
    while (machine.texts[0] !== 'Forget seed') machine.press(RIGHT);
    machine.press(BOTH);
    machine.press(BOTH);
  };
  const whole = board.run(vault, new Guesser(RIGHT_PIN), undefined, forget);
  for (const trial of trialsOf(whole.calls)) {
    const { machine } = board.run(vault, new Guesser(RIGHT_PIN), trial, forget);
    trials++;
    if (whole.calls[trial.at] === 'erase' && machine.seed)
      throw new UnprovenClaim(`a failed erasure leaves a seed open`);
  }
  // A count of ten erases the record at the start, after any earlier failure.
  for (const trial of [undefined, ...trialsOf(board.run({ ...vault, count: 10 }, undefined).calls)]) {
    const end = board.run({ ...vault, count: 10 }, new Guesser(RIGHT_PIN), trial);
    if (end.machine.seed)
      throw new UnprovenClaim(`a record with a count of ten opens with ${describe(trial)}`);
    trials++;
  }
  return `${trials} records stored and erased with one failing call: each record is complete or absent`;
}

/** Proves that a foreign, swapped or changed record opens only with its own PIN, and that attempts count. */
function proveSwaps(board: Board, whole: VaultState): string {
  const others = board.run(EMPTY_VAULT, userWithPin(another, NEW_PIN)).vault;
  const record = whole.record!;
  let trials = 0;
  for (const at of board.run(whole, new Guesser(RIGHT_PIN)).calls.keys())
    for (const pin of [RIGHT_PIN, NEW_PIN, WRONG_PIN]) {
      const { machine, calls, vault } = board.run(whole, new Guesser(pin), { at, vault: others });
      const opens = { [RIGHT_PIN]: dice.seed, [NEW_PIN]: another.seed }[pin];
      if (machine.seed && machine.seed.hex !== opens)
        throw new UnprovenClaim(`a record swapped at call ${at} opens`);
      const cleared = calls.includes('clear_attempts');
      if (!cleared && calls.includes('stretch') && vault.count !== 1)
        throw new UnprovenClaim(`an attempt does not count if the record is swapped at call ${at}`);
      trials++;
    }
  const apart = new Board(board.prepared, 'of another chip');
  if (apart.opens(whole, RIGHT_PIN)) throw new UnprovenClaim('a record opens on another chip');
  for (const [at, byte] of record.entries()) {
    const changed = record.slice();
    changed[at] = byte ^ (1 << (at % 8));
    if (board.opens({ ...whole, record: changed }, RIGHT_PIN))
      throw new UnprovenClaim(`a record opens although its byte ${at} was changed`);
  }
  return `${trials} unlocks during which the record is swapped for another seed's, one unlock on another chip, ${record.length} with a flipped bit in the record: only a record's own PIN opens it`;
}

const PROOFS = [proveTries, proveStoring, proveChange, proveSwaps];

await runProofs(path => {
  const board = new Board(openWithGlobals(path).compiled);
  const { vault, machine } = board.run(EMPTY_VAULT, userWithPin());
  if (vault.record === undefined)
    throw new UnprovenClaim(`no record is stored: ${machine.texts.join(' / ')}`);
  return PROOFS.map(proof => () => proof(board, vault));
});
