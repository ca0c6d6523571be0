import { parseAccount, parseCoins, toHex } from '@zbc-signer/chain';
import { type Asked, formatSignedText, type SentPayment, type SignedText } from '@zbc-signer/connect';
import { type Draft, formatText, type SendDraft, type TransactionOutcome } from '@zbc-signer/host';
import { SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { sendDraft } from '../sending.js';
import { COMPARE, runTask } from '../task.js';
import { Wallet } from '../wallet.js';

const encode = (text: string) => new TextEncoder().encode(text);

/** The wallet that fulfils the request of a page, as if the user had filled in a form of the wallet. */
export class AskedWallet extends Wallet {
  /** Whether the payment is signed, so that the chain may receive it even if this page is closed now. */
  maySend = false;
  #sending: Promise<TransactionOutcome> | undefined;

  /** Resolves with the answer for the page that asks. Rejects with the error that the task has shown. */
  async fulfil(asked: Asked, origin: string): Promise<unknown> {
    if (asked.method === 'sign') return this.#sign(asked, origin);
    if (asked.method === 'send') return this.#pay(asked, origin);
    return this.#shownAccount();
  }

  override send(draft: Draft, options: Parameters<Wallet['send']>[1]): Promise<TransactionOutcome> {
    this.#sending = super.send(draft, {
      ...options,
      onProgress: event => {
        if (event.step === 'signed') this.maySend = true;
        options.onProgress?.(event);
      },
    });
    return this.#sending;
  }

  #shownAccount(): { address: string; publicKey: string } {
    const { address, publicKey } = this.account!;
    return { address, publicKey: toHex(publicKey) };
  }

  async #sign({ message, nonce }: Extract<Asked, { method: 'sign' }>, origin: string): Promise<SignedText> {
    const time = new Date().toISOString();
    const text = formatSignedText({ origin, time, nonce, message });
    const account = this.#shownAccount();
    let signing: Promise<{ signature: Uint8Array }> | undefined;
    await runTask(`${origin} asks for a signature`, [COMPARE, 'Signed'], async view => {
      view.review([
        ['Account', account.address],
        ['Message', formatText(encode(text))],
      ]);
      signing = this.signMessage(encode(text), view.signal);
      await signing;
      return 'Signed.';
    });
    const { signature } = await signing!;
    return { ...account, text, signature: toHex(signature) };
  }

  async #pay(
    { to, amount, message }: Extract<Asked, { method: 'send' }>,
    origin: string,
  ): Promise<SentPayment> {
    const draft: SendDraft = {
      type: SEND_ZBC,
      recipient: parseAccount(to),
      amount: parseCoins(amount),
      message: encode(message),
    };
    await sendDraft(this, `${origin} asks for ${amount} ZBC`, draft);
    const { transactionHash, blockHeight } = await this.#sending!;
    return { transactionHash: toHex(transactionHash), blockHeight };
  }
}
