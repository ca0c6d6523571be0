import { toHex } from '@zbc-signer/chain';
import type { FlowEvent } from '@zbc-signer/host';
import { element, part } from '../dom.js';
import type { SignedEntry } from '../outbox.js';
import { describeOutcome, showProgress } from '../sending.js';
import { runTask } from '../task.js';
import type { Wallet } from '../wallet.js';

/** The transactions that were approved and are not known to be on the chain. */
export class UnsentView {
  #shown = '';

  constructor(private readonly wallet: Wallet) {}

  update(): void {
    const entries = this.wallet.unsent();
    const shown = entries.map(hashOf).join();
    part('unsent').hidden = entries.length === 0;
    if (shown === this.#shown) return;
    this.#shown = shown;
    part('unsent-list').replaceChildren(...entries.map(entry => this.#describe(entry)));
  }

  #describe(entry: SignedEntry): HTMLElement {
    const send = element('button', 'primary', 'Check and send');
    const forget = element('button', 'plain', 'Forget');
    for (const made of [send, forget]) made.type = 'button';
    send.addEventListener('click', () => void this.#resume(entry));
    forget.addEventListener('click', () => this.wallet.forget(entry));
    return element(
      'li',
      '',
      element('strong', '', entry.title),
      element('p', 'mono hint wrap', hashOf(entry)),
      element('div', 'row', send, forget),
    );
  }

  async #resume(entry: SignedEntry): Promise<void> {
    await runTask(entry.title, async view => {
      view.commit();
      view.say('Asking the chain…');
      const { signal } = view;
      const onProgress = (event: FlowEvent) => showProgress(view, event);
      return describeOutcome(await this.wallet.resume(entry, { signal, onProgress }));
    });
  }
}

function hashOf({ signed }: SignedEntry): string {
  return toHex(signed.transactionHash);
}
