import { type Claim, claimOf, type FixedQuestion, factsOf, isSettled } from '../cache/fixed-question.js';
import type { KnownNode } from '../upstream/node-directory.js';
import type { NodeAnswer } from '../upstream/node-request.js';
import { isEmpty } from './answer-body.js';
import type { RoutedAnswer } from './read-answers.js';

/** What a node says about a thing that is confirmed, or that there is no such thing. */
interface Vote extends RoutedAnswer {
  claim: Claim | 'none';
}

/** What nodes say together. */
export interface Verdict {
  /** The answer of most; undefined if as many say something else. */
  given: RoutedAnswer | undefined;
  /** Whether two or more gave it, and more than any other, those in good faith counted too. */
  isSettled: boolean;
  /** Those that say something else. */
  minority: readonly KnownNode[];
}

const UNCONFIRMED = /"status"\s*:\s*"(?!confirmed")/;

/** What one answer says, by the height of its node at its last check; undefined if it says nothing sure. */
export function voteOf(question: FixedQuestion, { node, answer }: RoutedAnswer): Vote | undefined {
  if (isDenial(question, answer)) return { node, answer, claim: 'none' };
  if (answer.status !== 200 || !Buffer.isBuffer(answer.body)) return undefined;
  const claim = claimOf(question, answer.body);
  return claim !== undefined && isSettled(claim, node.health.height) ? { node, answer, claim } : undefined;
}

/**
 * A 404 with a body, as an empty one means that the other role may have it, or a transaction that is not
 * confirmed. Tokens have no height, so a node without one may just be behind.
 */
function isDenial({ kind }: FixedQuestion, answer: NodeAnswer): boolean {
  if (kind === 'token') return false;
  if (answer.status === 404) return !isEmpty(answer);
  return (
    kind !== 'block' &&
    answer.status === 200 &&
    Buffer.isBuffer(answer.body) &&
    UNCONFIRMED.test(answer.body.toString())
  );
}

/**
 * Counts votes; undefined without a claim, as there is nothing to compare then. Registered nodes count only
 * where no node of the operator has a say, as anyone may register many.
 */
export function judge(votes: readonly Vote[]): Verdict | undefined {
  const claims = votes.flatMap(({ claim }) => (claim === 'none' ? [] : [claim]));
  if (claims.length === 0) return undefined;
  const newest = claims.reduce((most, { height = 0n }) => (height > most ? height : most), 0n);
  // A node that may not have got so far denies in good faith.
  const sure = votes.filter(({ claim, node }) => claim !== 'none' || (node.health.height ?? 0n) > newest);
  const surely = mostSaid(sure);
  if (surely === undefined) return { given: undefined, isSettled: false, minority: [] };
  const most = mostSaid(votes);
  const given = most ?? surely;
  const isSure = saying(given) === saying(surely);
  const minority = isSure ? sure.filter(vote => saying(vote) !== saying(given)) : [];
  const support = votes.filter(vote => saying(vote) === saying(given)).length;
  return {
    given,
    isSettled: most !== undefined && support >= 2,
    minority: minority.map(({ node }) => node),
  };
}

/** The first vote of those that most agree with; undefined if as many agree with another. */
function mostSaid(votes: readonly Vote[]): Vote | undefined {
  const own = votes.filter(({ node }) => node.source !== 'registry');
  const groups = new Map<string, Vote[]>();
  for (const vote of own.length > 0 ? own : votes) {
    const said = saying(vote);
    groups.set(said, [...(groups.get(said) ?? []), vote]);
  }
  const [most, next] = [...groups.values()].sort((one, other) => other.length - one.length);
  return next?.length === most!.length ? undefined : most![0];
}

function saying({ claim }: Vote): string {
  return claim === 'none' ? 'none' : factsOf(claim);
}
