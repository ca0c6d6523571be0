import { errorOf, GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import {
  type Answer,
  empty,
  GENESIS,
  json,
  type RecordingNode,
  reset,
} from '../../../testkit/gateway/recording-node.js';
import type { HttpReply } from '../../../testkit/network/http.js';
import { caseCount } from '../../../testkit/repository/case-count.js';

const SCHEDULES = caseCount(1000, 20);
const READS = 8;
const SEED = 20_261_122;
const HEIGHT = 200;
const MAX_NODES = 6;
/** Delay of a slow answer, longer than the nodes' usual latency. */
const SLOW_MS = 60;

/** Park and Miller's minimal standard generator. */
class Dice {
  #state = SEED;

  below(limit: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state % limit;
  }
}

const dice = new Dice();
const hashOf = (height: number) => height.toString(16).padStart(64, '0');

/** The true answers of a chain at one height. */
class Chain {
  readonly #height: number;

  constructor(height: number) {
    this.#height = height;
  }

  read(path: string): Answer {
    const [kind, name, what] = path.split('/').slice(3);
    if (kind === 'accounts') return json(200, { balance: this.#height });
    const height = kind === 'blocks' ? Number(name) : Number.parseInt(name!, 16);
    if (height > this.#height) return json(404, { success: false, error: 'Not found', code: 404 });
    return json(200, kind === 'blocks' ? this.#block(height) : this.#transaction(height, what === 'status'));
  }

  #block(height: number) {
    return {
      height,
      block_hash: hashOf(height + 1000),
      transactions: [this.#transaction(height, false)],
    };
  }

  #transaction(height: number, isStatus: boolean) {
    const fields = { transaction_hash: hashOf(height), status: 'confirmed', block_height: height };
    return isStatus ? fields : { ...fields, sender_account_address: 'one' };
  }
}

type Manner = 'prompt' | 'slow' | 'lagging' | 'failing';

/** Draws the behaviour of the nodes. At least two nodes are at the newest height, and at most two fail. */
function drawManners(): Manner[] {
  const manners: Manner[] = ['prompt', dice.below(2) === 0 ? 'prompt' : 'slow'];
  while (manners.length < MAX_NODES && dice.below(5) > 0) {
    const drawn = (['slow', 'lagging', 'failing', 'prompt'] as const)[dice.below(4)]!;
    const failing = manners.filter(manner => manner === 'failing').length;
    // At most three nodes are asked.
    if (drawn !== 'failing' || failing < 2) manners.push(drawn);
  }
  for (let index = manners.length - 1; index > 0; index -= 1) {
    const other = dice.below(index + 1);
    [manners[index], manners[other]] = [manners[other]!, manners[index]!];
  }
  return manners;
}

const FAILURES: readonly Answer[] = [
  reset,
  empty(500),
  json(503, { success: false, error: 'load', code: 503 }),
];

function behave(node: RecordingNode, manner: Manner, behind: number): void {
  const height = HEIGHT - (manner === 'lagging' ? behind : 0);
  const chain = new Chain(height);
  node.answerCheck = json(200, { genesis_hash: GENESIS, height });
  const failure = FAILURES[behind % FAILURES.length]!;
  node.answer = (request, response, socket) => {
    const answer = manner === 'failing' ? failure : chain.read(request.path);
    if (manner === 'slow') setTimeout(() => answer(request, response, socket), SLOW_MS);
    else answer(request, response, socket);
  };
}

let fixture: GatewayFixture;
let nodes: RecordingNode[];

beforeAll(async () => {
  const full = Array.from({ length: MAX_NODES }, () => json(200, {}));
  nodes = await startNodes({ full });
  fixture = await GatewayFixture.open(
    nodes,
    {
      // A slow answer takes longer, so the next node is asked too; that of a prompt node on a busy machine does not.
      reads: { nextMs: 30, tryMs: 5000, totalMs: 10_000 },
      breaker: { failures: 3, pauseMs: 200 },
    },
    { onError: () => undefined },
  );
});
afterAll(() => fixture.close());

/** Starts the first nodes, stops the others, and makes the gateway check them. */
async function begin(manners: readonly Manner[]): Promise<void> {
  const { allowlist, nodes: directory } = fixture.gateway.context;
  for (const [index, node] of nodes.entries()) {
    const manner = manners[index];
    if (manner === undefined) {
      await allowlist.remove(node);
    } else {
      behave(node, manner, 1 + dice.below(20));
      await allowlist.add({ ip: node.ip, port: node.port, role: 'full' });
    }
  }
  await directory.refresh();
}

/** Returns the status and body that a chain of this height answers. */
function truth(path: string, height: number): [number, unknown] {
  let status = 0;
  let body = '';
  const response = {
    writeHead: (given: number) => {
      status = given;
    },
    end: (text: string) => {
      body = text;
    },
  };
  new Chain(height).read(path)({} as never, response as never, {} as never);
  return [status, status === 200 ? body : JSON.parse(body)];
}

function drawPath(): string {
  const height = 1 + dice.below(HEIGHT - 1);
  return [
    `/api/v1/blocks/${height}`,
    `/api/v1/transactions/${hashOf(height)}`,
    `/api/v1/transactions/${hashOf(height)}/status`,
    '/api/v1/accounts/x',
  ][dice.below(4)]!;
}

const describeReply = ({ status, body }: HttpReply) => [
  status,
  status === 200 ? body.toString() : errorOf({ status, body } as HttpReply),
];

test(`lagging, slow and failing nodes never change an answer: ${SCHEDULES} schedules`, async () => {
  const met = new Map<Manner, number>();
  for (let schedule = 0; schedule < SCHEDULES; schedule += 1) {
    const manners = drawManners();
    for (const manner of manners) met.set(manner, (met.get(manner) ?? 0) + 1);
    await begin(manners);
    let seen = '0';
    const replies = [];
    const expected = [];
    for (let count = 0; count < READS; count += 1) {
      const path = drawPath();
      const reply = await fixture.get(path, { 'zbc-height': seen });
      const height = Number(reply.headers['zbc-height']);
      // The height is never below the one that the client has seen, because there are nodes at that height
      // that do not fail.
      expect([schedule, height >= Number(seen), height <= HEIGHT]).toEqual([schedule, true, true]);
      seen = String(height);
      replies.push([path, ...describeReply(reply)]);
      expected.push([path, ...truth(path, height)]);
    }
    expect({ schedule, manners, replies }).toEqual({ schedule, manners, replies: expected });
  }
  // The schedules must include every case.
  expect(met.size).toBe(4);
});
