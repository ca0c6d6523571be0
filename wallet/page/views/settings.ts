import { toHex } from '@zbc-signer/chain';
import { type GatewayStatus, NETWORKS, networkName } from '@zbc-signer/host';
import { button, element, onClick, part, showFacts } from '../dom.js';
import { t } from '../language.js';
import { notificationState } from '../notify.js';
import type { Wallet } from '../wallet.js';
import { explain, headline } from '../words.js';

const isNamed = (genesisHash: Uint8Array): boolean =>
  NETWORKS.some(network => toHex(network.genesisHash) === toHex(genesisHash));

const NOTIFICATIONS = {
  default: t`The browser can tell you when the signer waits for you or a payment is made, while another tab is in front.`,
  granted: t`The browser tells you when the signer waits for you or a payment is made, while another tab is in front.`,
  denied: t`The browser shows no notifications of this page: you have switched them off there.`,
  none: t`This browser has no notifications for this page.`,
};

/** Not called at each update, because the page stands still until the browser has told the permission. */
function showNotifications(): void {
  const state = notificationState();
  button('notify').hidden = state !== 'default';
  part('notify-state').textContent = NOTIFICATIONS[state];
}

/** The facts about the chain, the gateway and the signer, and the alarms at the top of the page. */
export class SettingsView {
  #gateway: GatewayStatus | undefined;

  constructor(private readonly wallet: Wallet) {
    onClick('use-chain', () => {
      wallet.acceptChain();
      location.reload();
    });
    onClick('disconnect', () => void wallet.disconnect());
    onClick('notify', () => void Notification.requestPermission().then(showNotifications));
  }

  async open(): Promise<void> {
    showNotifications();
    this.#gateway = await this.wallet.gateway.gatewayStatus().catch(() => undefined);
    this.update();
  }

  update(): void {
    this.#updateNetwork();
    this.#updateAlarms();
    showFacts(part('about-signer'), this.#signerFacts());
    showFacts(part('about-chain'), this.#chainFacts());
    showFacts(part('about-gateway'), this.#gatewayFacts());
  }

  #updateNetwork(): void {
    const chip = part('network-chip');
    const [state, text] = this.#network();
    chip.dataset.state = state;
    chip.textContent = text;
  }

  #network(): [state: string, text: string] {
    const { genesisHash, gatewayError, chainChanged } = this.wallet;
    if (gatewayError !== undefined) return ['bad', headline(gatewayError)];
    if (chainChanged) return ['bad', t`Another chain`];
    if (genesisHash === undefined) return ['unknown', t`No chain yet`];
    return [isNamed(genesisHash) ? 'good' : 'busy', networkName(genesisHash)];
  }

  #updateAlarms(): void {
    button('use-chain').hidden = !this.wallet.chainChanged;
    const texts = [...this.#alarms()];
    const list = part('alarms');
    if (texts.join() === [...list.children].map(({ textContent }) => textContent).join()) return;
    list.replaceChildren(...texts.map(text => element('p', 'alarm', text)));
  }

  *#alarms(): Iterable<string> {
    const { gatewayError, chainChanged, version } = this.wallet;
    if (chainChanged) {
      yield t`This gateway now serves another chain than before. Nothing is signed for it unless you use it from now on.`;
    }
    if (gatewayError !== undefined) {
      const { what, advice } = explain(gatewayError);
      yield [what, advice].filter(text => text !== undefined).join(' ');
    }
    if (version?.locked) yield t`Unlock the signer. It is locked, or has no seed.`;
  }

  #signerFacts(): [string, string][] {
    const { signer, version } = this.wallet;
    if (signer === undefined || version === undefined) return [[t`State`, t`not connected`]];
    return [
      [t`Connected`, signer.device.name],
      [t`Firmware`, version.firmwareVersion],
      [t`Locked`, version.locked ? t`yes` : t`no`],
      [t`Unknown chains`, version.refusesUnknownChains ? t`refused` : t`shown as unknown`],
    ];
  }

  #chainFacts(): [string, string][] {
    const { chain, genesisHash } = this.wallet;
    if (chain === undefined || genesisHash === undefined) return [[t`State`, t`no answer`]];
    return [
      [t`Network`, networkName(genesisHash)],
      [t`Genesis hash`, toHex(genesisHash)],
      [t`Height`, `${chain.height}`],
      [t`Node version`, chain.version ?? t`not reported`],
      [t`Synced`, chain.synced === undefined ? t`not reported` : chain.synced ? t`yes` : t`no`],
    ];
  }

  #gatewayFacts(): [string, string][] {
    const { gateway } = this.wallet;
    const status = this.#gateway;
    if (status === undefined) return [[t`Address`, gateway.url]];
    const answering = status.nodes.filter(({ answers }) => answers).length;
    return [
      [t`Address`, gateway.url],
      [t`Mode`, status.mode],
      [t`Version`, status.version ?? t`not reported`],
      [t`Nodes`, t`${answering} of ${status.nodes.length} answer`],
    ];
  }
}
