import { setTimeout as sleep } from 'node:timers/promises';
import { ActivityReader } from '#wallet/page/activity-reader.js';
import { OTHER, OWN } from '../../testkit/gateway/chain-answers.js';

const NEWEST = 350n;

/** A chain of empty blocks, whose gateway answers slowly. */
function scene() {
  const accounts = [{ address: OWN }];
  let asked = 0;
  const gateway = {
    urls: ['http://gateway.test'],
    blockchainStatus: async () => ({ height: NEWEST }),
    blocks: async (from: bigint, limit: number) => {
      asked += 1;
      await sleep(5);
      return Array.from({ length: limit }, (_, at) => ({ height: from + BigInt(at), transactions: [] }));
    },
  };
  const source = { gateway, browser: {}, state: { accounts, genesisHash: new Uint8Array(32) } };
  return { reader: new ActivityReader(source as never), accounts, asked: () => asked };
}

test('every caller that waits for the shared reading is told its progress', async () => {
  const { reader, asked } = scene();
  const heard = [0, 0];
  await Promise.all([0, 1].map(place => reader.read(() => void (heard[place]! += 1))));
  expect(heard[0]).toBeGreaterThanOrEqual(4);
  expect(heard[1]).toBe(heard[0]);
  expect(asked()).toBe(4);
  expect(reader.progress).toEqual({ from: 0n, to: NEWEST, newest: NEWEST });
});

test('late blocks of a reading for other accounts do not count as progress', async () => {
  const { reader, accounts } = scene();
  const first = reader.read(() => undefined);
  await sleep(8);
  accounts.push({ address: OTHER });
  const seen: (bigint | undefined)[] = [];
  await Promise.all([first, reader.read(() => void seen.push(reader.progress?.from))]);
  expect(seen).toEqual([...seen].sort((one, other) => Number(other! - one!)));
  expect(reader.error).toBeUndefined();
  expect(reader.progress).toEqual({ from: 0n, to: NEWEST, newest: NEWEST });
});
