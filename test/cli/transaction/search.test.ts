import { ExplorerClient } from '@zbc-signer/host/explorer';
import { searchMovements } from '#cli/transaction/search.js';
import { OTHER } from '../../../testkit/gateway/chain-answers.js';
import { answer, FakeGateway } from '../../../testkit/gateway/fake-gateway.js';

const BLOCKS = 'GET /api/v1/blocks';
const TOO_MANY = answer('', 429);

type FakeAnswer = Parameters<FakeGateway['on']>[1];

/**
 * Searches a chain of two blocks. Before the list of the newest transactions, the gateway gives the
 * answers `first`. Returns the error code, if any, the reports and the pauses in ms.
 */
async function codeOf(answers: FakeAnswer[], first: FakeAnswer[] = []) {
  const gateway = new FakeGateway()
    .on('GET /api/v1/transactions', ...first, answer('{"transactions":[]}'))
    .on('GET /api/v1/movements/latest', answer('{"movements":[]}'))
    .on('GET /api/v1/blockchain/status', answer('{"height":1}'))
    .on(BLOCKS, ...answers);
  const pauses: number[] = [];
  const reports: string[] = [];
  const gatewayClient = new ExplorerClient(await gateway.start());
  const reader = {
    request: {},
    clock: { now: () => 0, sleep: async (durationMs: number) => void pauses.push(durationMs) },
    report: () => undefined,
  };
  const terminal = {
    wait: async () => undefined,
    report: (line: string) => void reports.push(line),
  } as never;
  const search = { gateway: gatewayClient, reader, terminal, fromBlock: 0n };
  const code = await searchMovements(search, OTHER).then(
    () => undefined,
    error => Object(error).code,
  );
  await gateway.stop();
  return { code, reports, pauses: pauses.filter(pause => pause === 5000).length };
}

const EMPTY = answer('{"blocks":[{"height":0,"transactions":[]},{"height":1,"transactions":[]}]}');
const LIMITED = Array.from({ length: 8 }, () => TOO_MANY);

test.each<[string, FakeAnswer[], FakeAnswer[]]>([
  ['before its first list', [EMPTY], LIMITED],
  ['among its blocks', [...LIMITED, EMPTY], []],
])(
  'a search waits when the gateway limits the rate of requests %s, and then continues',
  async (_when, ...answers) => {
    expect(await codeOf(...answers)).toEqual({
      code: undefined,
      reports: Array.from({ length: 2 }, () => 'The gateway limits the rate of requests; waiting'),
      pauses: 2,
    });
  },
);

test('a search ends after 15 pauses, and at once if the gateway is overloaded', async () => {
  expect(await codeOf([TOO_MANY])).toMatchObject({ code: 'GATEWAY_BUSY', pauses: 15 });
  expect(await codeOf([answer('', 503)])).toMatchObject({ code: 'GATEWAY_BUSY', pauses: 0 });
});
