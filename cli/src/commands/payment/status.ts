import { type BroadcastState, toHex } from '@zbc-signer/chain';
import { formatTime, safeAfter } from '@zbc-signer/host';
import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { unknownTransactionError } from '../../errors/errors.js';
import { parseHash } from '../../input/values.js';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS } from '../../parser/options.js';
import { openJournal } from '../../transaction/sending.js';

/** The state of an escrow whose transfer is not in a block yet. */
const NOT_CONFIRMED = 'not confirmed';

export const command = defineCommand({
  arguments: { hash: { demandOption: true, describe: 'transaction hash' } },
  options: { ...GATEWAY_OPTIONS },
  examples: [
    [
      '$0 status 042c33017d19…',
      'prints staging, mempool or confirmed, with the block, and the state of the escrow',
    ],
  ],

  async run(options, terminal) {
    const hash = parseHash('the transaction hash', options.hash);
    const gateway = openGateway(options);
    const reader = createReader(terminal);
    const [found, transaction] = await Promise.all([
      retryRead(reader, request => gateway.transactionStatus(hash, request)),
      retryRead(reader, request => gateway.transaction(hash, request)),
    ]);
    if (found === undefined) throw unknownTransactionError(toHex(hash), await findPending(toHex(hash)));
    const { stage, blockHeight, mempoolPosition } = found;
    const { escrow } = transaction ?? {};
    const escrowState = transaction?.escrowState ?? (escrow && NOT_CONFIRMED);
    return {
      json: {
        transaction_hash: hash,
        status: stage,
        ...(blockHeight !== undefined && { block_height: blockHeight }),
        ...(mempoolPosition !== undefined && { mempool_position: mempoolPosition }),
        ...(escrowState !== undefined && { escrow_status: escrowState }),
        ...(escrow && { escrow_approver: escrow.approver, escrow_timeout: escrow.timeout }),
      },
      text: formatTable([
        ['Status', stage],
        ...(blockHeight === undefined ? [] : [['Block', `${blockHeight}`] as const]),
        ...(mempoolPosition === undefined ? [] : [['Mempool position', `${mempoolPosition}`] as const]),
        ...(escrowState === undefined ? [] : [['Escrow', escrowState] as const]),
        ...(escrow === undefined ? [] : [['Approver', escrow.approver] as const]),
        ...(escrow === undefined ? [] : [['Decide until', formatTime(escrow.timeout)] as const]),
      ]),
    };
  },
});

/** Finds the payment with this hash in this computer's journal. An unreadable journal counts as empty. */
async function findPending(hash: string): Promise<{ sent: BroadcastState; safeAfter: bigint } | undefined> {
  const pending = await openJournal()
    .pending()
    .catch(() => []);
  const own = pending.find(({ transactionHash }) => toHex(transactionHash) === hash);
  return own && { sent: own.sent, safeAfter: safeAfter(own.transaction) };
}
