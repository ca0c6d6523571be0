import { getPublicKey } from '../../commands.js';
import type { CheckGroup, ConformanceBench } from '../bench.js';
import { Nonconformity } from '../bench.js';
import type { Cases, SignedCase } from '../cases.js';

/** Time in which a signer would release something that was not approved. */
const UNDECIDED_MS = 200;

/** Checks of every golden case: each page, and the data of the reply after the approval. */
export function reviewChecks({ transactions, messages }: Cases): CheckGroup[] {
  return [
    { name: 'transactions', checks: transactions.map(signed) },
    { name: 'messages', checks: messages.map(signed) },
    {
      name: 'addresses',
      checks: [
        {
          name: 'approving shows an address',
          run: bench => decide(bench, [getPublicKey(1, true)], 'approve'),
        },
        { name: 'rejecting an address', run: bench => decide(bench, [getPublicKey(0, true)], 'reject') },
      ],
    },
    {
      name: 'rejections',
      checks: [transactions[0]!, transactions.at(-1)!, messages[0]!].map(({ name, commands }) => ({
        name,
        run: bench => decide(bench, commands, 'reject'),
      })),
    },
  ];
}

/** The check that matters most: nothing is released before the decision, whatever the pages show. */
export function approvalChecks({ transactions, messages }: Cases): CheckGroup {
  const samples: [string, readonly Uint8Array[]][] = [
    ['a transaction', transactions[0]!.commands],
    ['a message', messages[0]!.commands],
    ['an address', [getPublicKey(0, true)]],
  ];
  return {
    name: 'approval',
    checks: samples.map(([name, commands]) => ({
      name: `${name} is not released before both buttons are pressed`,
      run: async bench => {
        const review = await bench.open(commands);
        await bench.follow(reference => reference.review());
        await bench.expectUndecided(review, UNDECIDED_MS);
        await bench.decide(review, 'reject');
      },
    })),
  };
}

function signed({ name, commands, result }: SignedCase) {
  return {
    name,
    run: async (bench: ConformanceBench) => {
      const reply = await bench.decide(await bench.open(commands), 'approve');
      const released = Buffer.from(reply.subarray(0, -2)).toString('hex');
      if (released !== result) throw new Nonconformity(`the signer released ${released}, expected ${result}`);
    },
  };
}

async function decide(
  bench: ConformanceBench,
  commands: readonly Uint8Array[],
  decision: 'approve' | 'reject',
) {
  await bench.decide(await bench.open(commands), decision);
}
