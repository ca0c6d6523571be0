import { toHex } from '@zbc-signer/chain';
import { formatText } from '@zbc-signer/host';
import { find, onSubmit, part, showFacts } from '../dom.js';
import { runTask } from '../task.js';
import type { Wallet } from '../wallet.js';

/** Signs a text; the result stays until the next one. */
export class MessageView {
  constructor(private readonly wallet: Wallet) {
    onSubmit(find('sign-form', HTMLFormElement), () => void this.#sign());
  }

  async #sign(): Promise<void> {
    const { account } = this.wallet;
    if (account === undefined) return;
    // Textareas give line feeds alone, which is what is signed.
    const text = find('sign-text', HTMLTextAreaElement).value;
    const message = new TextEncoder().encode(text);
    part('signature').hidden = true;
    await runTask('Sign a message', async view => {
      view.review([
        ['Account', account.address],
        ['Message', formatText(message)],
      ]);
      const { signature } = await this.wallet.signMessage(message, view.signal);
      showFacts(
        part('signature'),
        [
          ['Signature', toHex(signature)],
          ['Public key', toHex(account.publicKey)],
          ['Address', account.address],
        ],
        /./,
      );
      part('signature').hidden = false;
      return 'Signed. The signature is below the message.';
    });
  }
}
