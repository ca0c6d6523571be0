import { RequestError } from '../base/errors.js';
import { nodeKey } from '../base/node-address.js';
import type { FixedQuestion } from '../cache/fixed-question.js';
import type { VerifyReadsConfig } from '../config/config.js';
import type { Traffic } from '../monitoring/traffic.js';
import type { KnownNode, NodeDirectory } from '../upstream/node-directory.js';
import { NodeFault } from '../upstream/node-fault.js';
import type { NodeRequest } from '../upstream/node-request.js';
import { discard } from './answer-body.js';
import { Attempt } from './attempt.js';
import type { ChainRouter, ReadOptions } from './chain-router.js';
import { ReadAnswers, type RoutedAnswer } from './read-answers.js';
import { judge, type Verdict, voteOf } from './votes.js';

/** Between two reports of a disagreement that cannot be decided. */
const QUIET_MS = 60_000;
/**
 * Hashes in lower hex, numbers without leading zeros: by another spelling a client could have a node cordoned
 * that takes it for another question.
 */
const USUAL =
  /^\/api\/v1\/(?:transactions\/[0-9a-f]{64}(?:\/status)?|blocks\/(?:0|[1-9]\d*)|tokens\/(?:0|-?[1-9]\d*))$/;

interface Parts {
  config: VerifyReadsConfig;
  router: ChainRouter;
  nodes: NodeDirectory;
  traffic: Traffic;
  onError(error: Error): void;
}

/**
 * Reads of what is confirmed, of which a share is asked of several nodes and answered with what most of them
 * say (docs/gateway/routing.md#lies).
 */
export class VerifiedReads {
  readonly #parts: Parts;
  #reportedMs = -QUIET_MS;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  read(question: FixedQuestion, request: NodeRequest, options: ReadOptions): Promise<RoutedAnswer> {
    const { share } = this.#parts.config;
    // Nodes must not know which reads are compared.
    const isCompared = share > 0 && Math.random() < share && USUAL.test(request.path);
    return isCompared ? this.#compare(question, request, options) : this.#parts.router.read(request, options);
  }

  async #compare(question: FixedQuestion, request: NodeRequest, options: ReadOptions): Promise<RoutedAnswer> {
    const { config, router, traffic } = this.#parts;
    const waiting = router.allReaders(options.seenHeight);
    if (waiting.length < 2) return router.read(request, options);
    traffic.countRead('verified');
    const answers: RoutedAnswer[] = [];
    let verdict: Verdict | undefined;
    let isDisputed = false;
    for (let count = config.nodes; waiting.length > 0; count = 1) {
      answers.push(...(await this.#askAll(waiting.splice(0, count), request, options)));
      const votes = answers.flatMap(answer => voteOf(question, answer) ?? []);
      verdict = judge(votes);
      isDisputed ||= verdict !== undefined && (verdict.given === undefined || verdict.minority.length > 0);
      if (verdict === undefined ? votes.length >= 2 : verdict.isSettled) break;
    }
    if (isDisputed) this.#report(request, verdict!);
    const given = verdict === undefined ? this.#combine(answers) : verdict.given;
    for (const { answer } of answers) if (answer !== given?.answer) discard(answer);
    if (given !== undefined) return given;
    if (verdict === undefined) return router.read(request, options);
    throw new RequestError(502, 'The nodes disagree about what is confirmed');
  }

  /** The answers of those that have one. */
  async #askAll(
    asked: readonly KnownNode[],
    request: NodeRequest,
    { cancellation }: ReadOptions,
  ): Promise<RoutedAnswer[]> {
    const { router } = this.#parts;
    const attempts = asked.map(
      node => new Attempt(node, ends => router.ask(node, request, { cancellation: ends })),
    );
    cancellation?.ends(() => {
      for (const attempt of attempts) attempt.cancellation.cancel();
    });
    const outcomes = await Promise.all(attempts.map(({ outcome }) => outcome));
    return outcomes.flatMap((answer, index) =>
      answer instanceof NodeFault ? [] : [{ node: asked[index]!, answer }],
    );
  }

  /** The answer to a question that nobody says anything sure about. */
  #combine(answers: readonly RoutedAnswer[]): RoutedAnswer | undefined {
    const combined = new ReadAnswers(this.#parts.nodes);
    for (const { node, answer } of answers) {
      const final = combined.mayHelp(node) ? combined.consider(node, answer) : undefined;
      if (final !== undefined) return final;
    }
    return undefined;
  }

  #report({ path }: NodeRequest, { given, minority }: Verdict): void {
    const { nodes, traffic, onError } = this.#parts;
    traffic.countRead('disagreed');
    for (const node of minority) nodes.distrust(node);
    const isDecided = given !== undefined;
    if (!isDecided && performance.now() - this.#reportedMs < QUIET_MS) return;
    if (!isDecided) this.#reportedMs = performance.now();
    const end = isDecided
      ? `${minority.map(nodeKey).join(', ')} contradicted the others and gets no more requests`
      : 'as many say one thing as another, so it was answered 502';
    onError(new Error(`nodes disagree about what is confirmed, at GET ${path}: ${end}`));
  }
}
