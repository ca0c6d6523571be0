import { UnprovenClaim } from '../../../prove/control.js';
import { type Oracle, PathEnd, Paths } from '../../../prove/symbolic/paths.js';
import { type Term, Terms } from '../../../prove/symbolic/terms.js';
import { evaluate } from './evaluate.js';

/** Tries every value from 0 to 7 of two symbols. */
class Trial implements Oracle {
  readonly terms = new Terms();
  readonly x = this.terms.symbol('x', 32);
  readonly y = this.terms.symbol('y', 32);
  questions = 0;
  #asserted: Term[] = [];
  readonly #scopes: Term[][] = [];

  push(): void {
    this.#scopes.push([...this.#asserted]);
  }

  pop(): void {
    this.#asserted = this.#scopes.pop()!;
  }

  assert(condition: Term): void {
    this.#asserted.push(condition);
  }

  isPossible(condition: Term): boolean {
    this.questions++;
    return this.#assignments().some(symbols =>
      [...this.#asserted, condition].every(each => evaluate(each, symbols) !== 0n),
    );
  }

  #assignments(): Map<Term, bigint>[] {
    const values = Array.from({ length: 8 }, (_, i) => BigInt(i));
    return values.flatMap(x =>
      values.map(
        y =>
          new Map([
            [this.x, x],
            [this.y, y],
          ]),
      ),
    );
  }

  below(term: Term, limit: bigint): Term {
    return this.terms.less(term, this.terms.constant(limit, 32));
  }
}

test('explores exactly the possible paths', () => {
  const trial = new Trial();
  const paths = new Paths(trial);
  const met: string[] = [];
  paths.explore(() => {
    const small = paths.decide(trial.below(trial.x, 3n));
    const smaller = paths.decide(trial.below(trial.x, 2n));
    met.push(`${small} ${smaller} ${paths.decide(trial.terms.eq(trial.x, trial.y))}`);
  });
  expect(met.sort()).toEqual(
    [
      'false false false',
      'false false true',
      'true false false',
      'true false true',
      'true true false',
      'true true true',
    ].sort(),
  );
  expect(paths.count).toBe(6);
});

test('does not repeat the questions that it asked on the way to a path', () => {
  const trial = new Trial();
  const paths = new Paths(trial);
  paths.explore(() => {
    paths.decide(trial.below(trial.x, 3n));
    paths.decide(trial.below(trial.y, 3n));
  });
  expect(paths.count).toBe(4);
  expect(trial.questions).toBe(6);
});

test('proves only what follows from the decisions and assumptions on a path', () => {
  const trial = new Trial();
  const paths = new Paths(trial);
  paths.explore(() => {
    if (!paths.decide(trial.below(trial.x, 3n))) throw new PathEnd();
    paths.require(trial.below(trial.x, 4n), 'x may be 4');
    expect(() => paths.require(trial.below(trial.x, 2n), 'x may be 2')).toThrow(
      new UnprovenClaim('x may be 2'),
    );
    paths.assume(trial.below(trial.x, 2n));
    paths.require(trial.below(trial.x, 2n), 'x may be 2 still');
  });
  expect(paths.count).toBe(2);
});
