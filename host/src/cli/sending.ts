import { type Account, type Escrow, parseAccount, parseCoins, toHex } from '../../../chain/src/index.js';
import type { Draft } from '../flow/draft.js';
import type { TransactionSigner } from '../flow/run.js';
import { type FlowResult, sendTransaction } from '../flow.js';
import { withSigner } from './device.js';
import { UsageError } from './errors.js';
import { openGateway } from './gateway.js';
import { reportProgress } from './progress.js';
import { formatTable } from './table.js';
import type { Outcome, Terminal } from './terminal.js';
import { transactionJson } from './transaction-view.js';
import { parseAccountIndex, parseDurationMs, parseHash, parseTime } from './values.js';

/** As SENDING_OPTIONS, DEVICE_OPTIONS and GATEWAY_OPTIONS give them. */
export interface SendingOptions {
  device?: string | undefined;
  account?: string | undefined;
  api?: string | undefined;
  fee?: string | undefined;
  message?: string | undefined;
  genesis?: string | undefined;
  noWait?: boolean | undefined;
  timeout?: string | undefined;
}

export interface EscrowOptions {
  escrowApprover?: string | undefined;
  escrowCommission?: string | undefined;
  escrowTimeout?: string | undefined;
  escrowInstruction?: string | undefined;
  escrowMultiParty?: boolean | undefined;
}

/** Puts the draft before the device and sends it. */
export async function sendFromDevice(
  draft: Draft,
  options: SendingOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const account = parseAccountIndex(options.account);
  return withSigner(options.device, signer =>
    runFlow(draft, { signer, account, asksDevice: true }, options, terminal),
  );
}

interface Signing {
  signer: TransactionSigner;
  account: number;
  asksDevice: boolean;
}

export async function runFlow(
  draft: Draft,
  { signer, account, asksDevice }: Signing,
  options: SendingOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const result = await sendTransaction(draft, {
    gateway: openGateway(options),
    signer,
    account,
    expectedGenesisHash: options.genesis === undefined ? undefined : parseHash('--genesis', options.genesis),
    waitsForConfirmation: options.noWait !== true,
    ...(options.timeout !== undefined && {
      confirmationTimeoutMs: parseDurationMs('--timeout', options.timeout),
    }),
    signal: terminal.signal,
    onProgress: reportProgress(terminal, asksDevice),
  });
  return viewResult(result);
}

/** What became of it, for programs and for a person. */
export function viewResult(result: FlowResult): Outcome {
  const { transaction, signature, transactionHash, transactionId, genesisHash, status, blockHeight } = result;
  return {
    json: {
      transaction_hash: transactionHash,
      transaction_id: transactionId,
      status,
      ...(blockHeight !== undefined && { block_height: blockHeight }),
      duplicate: result.duplicate,
      signature: toHex(signature),
      ...transactionJson(transaction),
      genesis_hash: genesisHash,
    },
    text: formatTable([
      ['Transaction hash', transactionHash],
      ['Transaction id', `${transactionId}`],
      ['Status', status],
      ...(blockHeight === undefined ? [] : [['Block', `${blockHeight}`] as const]),
    ]),
  };
}

/** What every draft has in common. */
export function parseDraftBase({ fee, message }: SendingOptions) {
  return {
    ...(fee !== undefined && { fee: parseCoins(fee) }),
    ...(message !== undefined && { message: new TextEncoder().encode(message) }),
  };
}

export function parseRecipient(to: string | undefined): Account {
  if (to === undefined) {
    throw new UsageError('--to is missing: the recipient, a ZBC_ address or an account in hex');
  }
  return parseAccount(to);
}

/** Undefined when no escrow option is given; throws UsageError when only some of those that belong together are. */
export function parseEscrow(options: EscrowOptions, nowMs = Date.now()): Escrow | undefined {
  const { escrowApprover, escrowTimeout, escrowCommission, escrowInstruction, escrowMultiParty } = options;
  const others = [escrowTimeout, escrowCommission, escrowInstruction, escrowMultiParty];
  if (escrowApprover === undefined && others.every(option => option === undefined)) {
    return undefined;
  }
  if (escrowApprover === undefined || escrowTimeout === undefined) {
    throw new UsageError('an escrow needs both --escrow-approver and --escrow-timeout');
  }
  return {
    approver: parseAccount(escrowApprover),
    commission: parseCoins(escrowCommission ?? '0'),
    timeout: parseTime('--escrow-timeout', escrowTimeout, nowMs),
    instruction: new TextEncoder().encode(escrowInstruction ?? ''),
    multiParty: escrowMultiParty === true,
  };
}
