import {
  accountFromPublicKey,
  cleanSymbol,
  decodeTransaction,
  encodeBody,
  encodeTransaction,
  type Transaction,
  toHex,
  transactionId,
} from '../../chain/src/index.js';
import { APPROVAL_ESCROW } from '../../protocol/transaction-types.js';
import { expectedReview } from './expected-review.js';
import { readChain } from './flow/chain-identity.js';
import { awaitConfirmation } from './flow/confirmation.js';
import { completeDraft, type Draft } from './flow/draft.js';
import { FeeTooLowError, HashMismatchError } from './flow/errors.js';
import { type Escrowed, readEscrowed } from './flow/escrowed.js';
import { awaitHeight } from './flow/height.js';
import { checkHoldings, type Holdings, readHoldings } from './flow/holdings.js';
import { retryRead } from './flow/retry.js';
import { type FlowOptions, type Run, startRun } from './flow/run.js';
import { submitTransaction } from './flow/submit.js';
import { checkBroadcastable } from './gateway/broadcast.js';
import type { DevicePublicKey } from './replies.js';
import type { TokenDetails } from './upload-header.js';

/** What became of a transaction; hashes and the genesis hash in lower hex, the id signed. */
export interface FlowResult {
  transaction: Transaction;
  signature: Uint8Array;
  transactionHash: string;
  transactionId: bigint;
  genesisHash: string;
  /** `staging`, `mempool` or `confirmed`, or `submitted` when it was not waited for and the node says nothing yet. */
  status: string;
  blockHeight?: bigint;
  /** The node had the transaction already. */
  duplicate: boolean;
}

/** What is put before the signer. */
interface Request {
  genesisHash: Uint8Array;
  transaction: Transaction;
  escrowed: Escrowed | undefined;
  token: TokenDetails | undefined;
}

/**
 * interface.md's end-to-end sequence: node information, balances and decimals, minimum fee, serialise, SIGN_TX, broadcast,
 * compare the hashes, poll the status. Throws a SignerError, one of chain/'s errors for what no signer would take, or the
 * reason of the aborted signal.
 */
export async function sendTransaction(draft: Draft, options: FlowOptions): Promise<FlowResult> {
  const run = startRun(options);
  const { genesisHash } = await readChain(run);
  const own = await run.signer.getPublicKey(run.account, run.request);
  const escrowed =
    draft.type === APPROVAL_ESCROW
      ? await readEscrowed(run, draft.escrowHash, accountFromPublicKey(own.publicKey))
      : undefined;
  const holdings = await readHoldings(run, draft, own.address);
  const transaction = await composeTransaction(run, draft, own, holdings);
  checkHoldings(transaction, holdings);
  checkBroadcastable(transaction);
  const request = { genesisHash, transaction, escrowed, token: describeToken(holdings) };
  const signed = await signTransaction(run, request, own);
  const receipt = await submitTransaction(run, signed);
  if (receipt.transactionHash !== signed.transactionHash) {
    throw new HashMismatchError(signed.transactionHash, receipt.transactionHash);
  }
  run.report({ step: 'broadcast', ...receipt });
  const { stage, blockHeight } = await awaitConfirmation(run, signed.transactionHash);
  if (blockHeight !== undefined && run.waitsForConfirmation) {
    await awaitHeight(run.gateway, blockHeight, { ...run.request, clock: run.clock });
  }
  return {
    ...signed,
    genesisHash: toHex(genesisHash),
    status: stage,
    ...(blockHeight !== undefined && { blockHeight }),
    duplicate: receipt.duplicate,
  };
}

async function composeTransaction(
  run: Run,
  draft: Draft,
  { publicKey }: DevicePublicKey,
  { token }: Holdings,
): Promise<Transaction> {
  const facts = {
    sender: accountFromPublicKey(publicKey),
    timestamp: BigInt(Math.floor(run.clock.now() / 1000)),
    decimals: token?.decimals ?? 0,
  };
  // The length of the body does not depend on the fee, and the fee does on the length.
  const bodyLength = encodeBody(completeDraft(draft, { ...facts, fee: 0n })).length;
  const { minimumFee } = await retryRead(run, options =>
    run.gateway.estimateFee(draft.type, bodyLength, options),
  );
  const fee = draft.fee ?? minimumFee;
  if (fee < minimumFee) {
    throw new FeeTooLowError(fee, minimumFee);
  }
  run.report({ step: 'fee', fee, minimumFee });
  return completeDraft(draft, { ...facts, fee });
}

/** What the device may show as reported by the app. */
function describeToken({ token }: Holdings): TokenDetails | undefined {
  if (token === undefined) {
    return undefined;
  }
  const symbol = cleanSymbol(token.symbol);
  return { decimals: token.decimals, ...(symbol !== undefined && { symbol }) };
}

async function signTransaction(run: Run, request: Request, { publicKey }: DevicePublicKey) {
  const { genesisHash, transaction, escrowed, token } = request;
  const unsigned = encodeTransaction(transaction);
  // What a signer would refuse is said before anybody is asked.
  decodeTransaction(unsigned, accountFromPublicKey(publicKey));
  const subject = { genesisHash, transaction, linked: escrowed?.transaction, token };
  run.report({ step: 'review', items: expectedReview(subject), transaction });
  const { signature, transactionHash } = await run.signer.signTransaction(
    {
      account: run.account,
      genesisHash,
      transaction: unsigned,
      ...(escrowed && { linked: escrowed.bytes }),
      ...(token && { token }),
    },
    run.request,
  );
  const hash = toHex(transactionHash);
  run.report({ step: 'signed', transactionHash: hash });
  return { transaction, signature, transactionHash: hash, transactionId: transactionId(transactionHash) };
}
