import { correction, generate } from 'lean-qr/nano';
import { copyText, groupsOf, onClick, part, say } from '../dom.js';
import { formatClock } from '../format.js';
import { compareAddress } from '../signer.js';
import { shownAccount } from '../state.js';
import { COMPARE, runTask } from '../task.js';
import type { Wallet } from '../wallet.js';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Shows the address of the account, once the user has confirmed the address on the device or skipped the
 * confirmation.
 */
export class ReceiveView {
  /**
   * For each shown address, the time of its confirmation on the device, as text; an empty text if the user
   * skipped the confirmation.
   */
  readonly #shown = new Map<string, string>();
  #address = '';

  constructor(private readonly wallet: Wallet) {
    onClick('show-address', () => void this.#confirm());
    onClick('skip-address', () => this.#show(''));
    onClick('copy-address', () => void this.#copy());
  }

  update(): void {
    const account = shownAccount(this.wallet.state);
    if (account === undefined) return;
    const { address } = account;
    const confirmed = this.#shown.get(address);
    part('receive-ask').hidden = confirmed !== undefined && confirmed !== '';
    part('skip-address').hidden = confirmed !== undefined;
    part('receive-address').hidden = confirmed === undefined;
    part('address-state').dataset.state = confirmed ? 'good' : 'busy';
    say(
      'address-state',
      confirmed ? `✓ Confirmed on the device at ${confirmed}` : 'Not confirmed on the device',
    );
    if (address === this.#address) return;
    this.#address = address;
    part('address').replaceChildren(...groupsOf(address));
    part('address-result').textContent = '';
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', qrPath(`zbc:${address}`));
    document.querySelector('#address-code')?.replaceChildren(path);
  }

  #show(confirmed: string): void {
    this.#shown.set(this.#address, confirmed);
    this.update();
  }

  async #confirm(): Promise<void> {
    const account = shownAccount(this.wallet.state);
    if (account === undefined) return;
    const isConfirmed = await runTask('The address of this account', [COMPARE, 'Confirmed'], async view => {
      view.review([['Address', account.address]]);
      await compareAddress(this.wallet, view.signal);
      return 'You confirmed this address on the device.';
    });
    if (isConfirmed) this.#shown.set(account.address, formatClock(new Date()));
    this.update();
  }

  async #copy(): Promise<void> {
    part('address-result').textContent = await copyText(this.#address, part('address'));
  }
}

/** The path of an SVG in which each dark module of the QR code, without a border, is a unit square. */
function qrPath(text: string): string {
  const code = generate(text, { minCorrectionLevel: correction.M, minVersion: 5 });
  const places = Array.from({ length: code.size }, (_, place) => place);
  return places.flatMap(y => places.map(x => (code.get(x, y) ? `M${x} ${y}h1v1h-1z` : ''))).join('');
}
