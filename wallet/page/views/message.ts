import { decodeAddress, fromHex, parseAccount, toHex, verify } from '@zbc-signer/chain';
import { formatText, parseSignedDocument } from '@zbc-signer/host';
import { element, find, onSubmit, part, showFacts } from '../dom.js';
import { onForm, readField, showAddress } from '../fields.js';
import { onFile } from '../files.js';
import { sendSigned } from '../sending.js';
import { signMessage } from '../signer.js';
import { shownAccount } from '../state.js';
import { COMPARE, runTask, SIGNED } from '../task.js';
import type { Wallet } from '../wallet.js';
import { describeCheck, showError } from '../words.js';

/** Signs a text, verifies a signed text, and sends a signed transaction. */
export class MessageView {
  constructor(private readonly wallet: Wallet) {
    onSubmit(find('sign-form', HTMLFormElement), () => void this.#sign());
    onForm('verify-form', async () => {
      verifyForm();
      return false;
    });
    showAddress('verify-address', parseAccount);
    part('verify-form').addEventListener('input', () => part('verdict').replaceChildren());
    const result = part('signed-result');
    onFile(
      'send-signed',
      text => {
        result.replaceChildren();
        void sendSigned(wallet, parseSignedDocument(text));
      },
      error => showError(result, error),
    );
  }

  async #sign(): Promise<void> {
    const account = shownAccount(this.wallet.state);
    if (account === undefined) return;
    const message = readText('sign-text');
    part('signature').hidden = true;
    await runTask('Sign a message', [COMPARE, SIGNED], async view => {
      view.review([
        ['Account', account.address],
        ['Message', formatText(message)],
      ]);
      const { signature, antiExfil } = await signMessage(this.wallet, message, view.signal);
      showFacts(part('signature'), [
        ['Message', formatText(message)],
        ['Signature', toHex(signature)],
        ['Public key', toHex(account.publicKey)],
        ['Address', account.address],
      ]);
      part('signature').hidden = false;
      return `Signed. The signature is below the message. ${describeCheck(antiExfil)}`;
    });
  }
}

function verifyForm(): void {
  part('verdict').replaceChildren();
  const publicKey = readField('verify-address', decodeAddress);
  const signature = readField('verify-signature', fromHex);
  const isValid = verify(signature, readText('verify-text'), publicKey);
  const words = isValid
    ? 'The key of this address has signed this message.'
    : 'This is not a signature of this message by the key of this address.';
  part('verdict').replaceChildren(element('p', isValid ? 'good' : 'bad', words));
}

/** The bytes of the text in a textarea, whose lines end with a line feed only. */
function readText(id: string): Uint8Array {
  return new TextEncoder().encode(find(id, HTMLTextAreaElement).value);
}
