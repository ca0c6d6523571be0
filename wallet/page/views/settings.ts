import { toHex } from '@zbc-signer/chain';
import { NETWORKS, networkName } from '@zbc-signer/host';
import { acceptChain } from '../chain.js';
import { button, element, onClick, part, showFacts } from '../dom.js';
import { notificationState } from '../notify.js';
import { disconnect } from '../signer.js';
import { gatewayError, isChainChanged } from '../state.js';
import type { Wallet } from '../wallet.js';
import { explain, headline } from '../words.js';

const isNamed = (genesisHash: Uint8Array): boolean =>
  NETWORKS.some(network => toHex(network.genesisHash) === toHex(genesisHash));

const NOTIFICATIONS = {
  default:
    'The browser can tell you when the signer waits for you or a payment is made, while another tab is in front.',
  granted:
    'The browser tells you when the signer waits for you or a payment is made, while another tab is in front.',
  denied: 'The browser shows no notifications of this page: you have switched them off there.',
  none: 'This browser has no notifications for this page.',
};

/** Not called at each update, because the page stands still until the browser has told the permission. */
export function showNotifications(): void {
  const state = notificationState();
  button('notify').hidden = state !== 'default';
  part('notify-state').textContent = NOTIFICATIONS[state];
}

/** The facts about the chain and the signer, and the alarms at the top of the page. */
export class SettingsView {
  constructor(private readonly wallet: Wallet) {
    onClick('use-chain', () => {
      acceptChain(wallet);
      location.reload();
    });
    onClick('disconnect', () => void disconnect(wallet));
    onClick('notify', () => void Notification.requestPermission().then(showNotifications));
  }

  update(): void {
    this.#updateNetwork();
    this.#updateAlarms();
    showFacts(part('about-signer'), this.#signerFacts());
    showFacts(part('about-chain'), this.#chainFacts());
  }

  #updateNetwork(): void {
    const chip = part('network-chip');
    const [state, text] = this.#network();
    chip.dataset.state = state;
    chip.textContent = text;
  }

  #network(): [state: string, text: string] {
    const { state } = this.wallet;
    const { genesisHash } = state;
    const error = gatewayError(state);
    if (error !== undefined) return ['bad', headline(error)];
    if (isChainChanged(state)) return ['bad', 'Another chain'];
    if (genesisHash === undefined) return ['unknown', 'No chain yet'];
    return [isNamed(genesisHash) ? 'good' : 'busy', networkName(genesisHash)];
  }

  #updateAlarms(): void {
    button('use-chain').hidden = !isChainChanged(this.wallet.state);
    const texts = [...this.#alarms()];
    const list = part('alarms');
    if (texts.join() === [...list.children].map(({ textContent }) => textContent).join()) return;
    list.replaceChildren(...texts.map(text => element('p', 'alarm', text)));
  }

  *#alarms(): Iterable<string> {
    const { state } = this.wallet;
    if (isChainChanged(state)) {
      yield 'This gateway now serves another chain than before. Nothing is signed for it unless you use it from now on.';
    }
    const error = gatewayError(state);
    if (error !== undefined) yield explain(error).join(' ');
    if (state.version?.locked) yield 'Unlock the signer. It is locked, or has no seed.';
  }

  #signerFacts(): [string, string][] {
    const { signer, version } = this.wallet.state;
    if (signer === undefined || version === undefined) return [['State', 'not connected']];
    return [
      ['Connected', signer.device.name],
      ['Firmware', version.firmwareVersion],
      ['Locked', version.locked ? 'yes' : 'no'],
      ['Contacts only', version.contactsOnly ? 'yes' : 'no'],
      ['Unknown chains', version.refusesUnknownChains ? 'refused' : 'shown as unknown'],
    ];
  }

  #chainFacts(): [string, string][] {
    const { chain, genesisHash } = this.wallet.state;
    if (chain === undefined || genesisHash === undefined) return [['State', 'no answer']];
    return [
      ['Network', networkName(genesisHash)],
      ['Gateway', this.wallet.gateway.url],
      ['Genesis hash', toHex(genesisHash)],
      ['Height', `${chain.height}`],
      ['Synced', chain.synced === undefined ? 'not reported' : chain.synced ? 'yes' : 'no'],
    ];
  }
}
