import { formatCoinAmount, parseAccount, parseCoins, toHex } from '@zbc-signer/chain';
import { type Asked, formatSignedText, type SentPayment, type SignedText } from '@zbc-signer/connect';
import { formatText, type SendDraft, type TransactionOutcome } from '@zbc-signer/host';
import { SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { send } from '../payments.js';
import { sendDraft } from '../sending.js';
import { signMessage } from '../signer.js';
import { openAccount } from '../state.js';
import { COMPARE, runTask, SIGNED } from '../task.js';
import type { Wallet } from '../wallet.js';

const encode = (text: string) => new TextEncoder().encode(text);

/**
 * Fulfils the request of a page, as if the user had filled in a form of the wallet. Resolves with the answer
 * for the page. Rejects with the error that the task has shown. Calls `onSigned` when a payment is signed:
 * from then on, the chain may receive it even if this page is closed.
 */
export async function fulfil(
  wallet: Wallet,
  asked: Asked,
  origin: string,
  onSigned: () => void,
): Promise<unknown> {
  if (asked.method === 'sign') return sign(wallet, asked, origin);
  if (asked.method === 'send') return pay(wallet, asked, origin, onSigned);
  return accountOf(wallet);
}

function accountOf({ state }: Wallet): { address: string; publicKey: string } {
  const { address, publicKey } = openAccount(state);
  return { address, publicKey: toHex(publicKey) };
}

async function sign(
  wallet: Wallet,
  { message, nonce }: Extract<Asked, { method: 'sign' }>,
  origin: string,
): Promise<SignedText> {
  const time = new Date().toISOString();
  const text = formatSignedText({ origin, time, nonce, message });
  const account = accountOf(wallet);
  let signing: Promise<{ signature: Uint8Array }> | undefined;
  await runTask(`${origin} asks for a signature`, [COMPARE, SIGNED], async view => {
    view.review([
      ['Account', account.address],
      ['Message', formatText(encode(text))],
    ]);
    signing = signMessage(wallet, encode(text), view.signal);
    await signing;
    return 'Signed.';
  });
  const { signature } = await signing!;
  return { ...account, text, signature: toHex(signature) };
}

async function pay(
  wallet: Wallet,
  { to, amount, message }: Extract<Asked, { method: 'send' }>,
  origin: string,
  onSigned: () => void,
): Promise<SentPayment> {
  const draft: SendDraft = {
    type: SEND_ZBC,
    recipient: parseAccount(to),
    amount: parseCoins(amount),
    message: encode(message),
  };
  let sending: Promise<TransactionOutcome> | undefined;
  const act: typeof send = (_, __, options) => {
    sending = send(wallet, draft, {
      ...options,
      onProgress: event => {
        if (event.step === 'signed') onSigned();
        options.onProgress?.(event);
      },
    });
    return sending;
  };
  await sendDraft(wallet, `${origin} asks for ${formatCoinAmount(draft.amount)}`, draft, undefined, act);
  const { transactionHash, blockHeight } = await sending!;
  return { transactionHash: toHex(transactionHash), blockHeight };
}
