import { ExplorerClient } from '@zbc-signer/host/explorer';
import { allTransactions } from '#cli/transaction/search.js';
import { OTHER } from '../../../testkit/gateway/chain-answers.js';
import { answer, FakeGateway } from '../../../testkit/gateway/fake-gateway.js';

const BLOCKS = 'GET /api/v1/blocks';
const TOO_MANY = answer('', 429);

type FakeAnswer = Parameters<FakeGateway['on']>[1];

/**
 * Searches a chain of two full blocks. Before the list of the newest transactions, the gateway gives the
 * answers `first`. Returns the error code, if any, the reports and the pauses in ms.
 */
async function search(answers: FakeAnswer[], first: FakeAnswer[] = []) {
  const transaction = (at: number) =>
    `{"transaction_hash":"${at.toString(16).padStart(64, '0')}","transaction_type":1,"timestamp":1800000000,"fee":1,"sender_account_address":"${OTHER}","recipient_account_address":"${OTHER}","transaction_body_bytes":"0100000000000000","block_height":1}`;
  const newest = Array.from({ length: 100 }, (_, at) => transaction(at));
  const gateway = new FakeGateway()
    .on('GET /api/v1/transactions', ...first, answer(`{"transactions":[${newest}]}`))
    .on(BLOCKS, ...answers);
  const pauses: number[] = [];
  const reports: string[] = [];
  const found = allTransactions({
    gateway: new ExplorerClient(await gateway.start()),
    reader: {
      request: {},
      clock: { now: () => 0, sleep: async durationMs => void pauses.push(durationMs) },
      report: () => undefined,
    },
    terminal: { wait: async () => undefined, report: (line: string) => void reports.push(line) } as never,
    fromBlock: 0n,
  });
  let code: unknown;
  try {
    for await (const _ of found);
  } catch (error) {
    code = Object(error).code;
  }
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
    expect(await search(...answers)).toEqual({
      code: undefined,
      reports: Array.from({ length: 2 }, () => 'The gateway limits the rate of requests; waiting'),
      pauses: 2,
    });
  },
);

test('a search ends after 15 pauses, and at once if the gateway is overloaded', async () => {
  expect(await search([TOO_MANY])).toMatchObject({ code: 'GATEWAY_BUSY', pauses: 15 });
  expect(await search([answer('', 503)])).toMatchObject({ code: 'GATEWAY_BUSY', pauses: 0 });
});
