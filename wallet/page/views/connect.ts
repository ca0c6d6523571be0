import { button, element, find, input, onClick, onSubmit, part, say } from '../dom.js';
import { connect, forgetLeftOpen, readDevice } from '../signer.js';
import type { Wallet } from '../wallet.js';
import { headline, PageError, showError } from '../words.js';

/** The options to connect a device, and the reason why no device is connected. */
export class ConnectView {
  /** Whether the user wants to see the options to connect although accounts are shown without a device. */
  #isAsked = false;

  constructor(private readonly wallet: Wallet) {
    const { devices } = wallet;
    // Chrome on a phone has WebUSB only.
    const kind = (['hid', 'usb'] as const).find(each => devices.supports(each));
    button('connect-usb').hidden = kind === undefined;
    if (kind === undefined) {
      find('ways', HTMLDetailsElement).open = true;
      part('usb-hint').textContent = isSecureContext
        ? 'This browser has no WebHID. Use Chrome or Edge, or the bridge.'
        : 'Browsers let only https and localhost pages use a device. Open this page over https.';
    }
    onClick('connect-usb', () => void this.#attempt(() => this.#request(kind!)));
    onSubmit(find('emulator-form', HTMLFormElement), () => {
      void this.#attempt(async () => connect(wallet, devices.emulator(input('emulator-url').value.trim())));
    });
    onClick('connect-bridge', () => void this.#attempt(() => this.#connectBridge()));
    onClick('connect-again', () => {
      this.#isAsked = true;
      this.update();
      part('connect-heading').focus();
    });
    onClick('use-here', () => void this.#useHere());
    onClick('left-open-done', () => forgetLeftOpen(wallet));
  }

  update(): void {
    const { signer, deviceError, accounts } = this.wallet.state;
    const isElsewhere = signer?.state === 'elsewhere';
    const isConnecting = signer !== undefined && deviceError === undefined;
    const isAway = !isElsewhere && !isConnecting;
    if (!isAway) this.#isAsked = false;
    part('connect').hidden = !isAway || (accounts.length > 0 && !this.#isAsked);
    part('away').hidden = !isAway || accounts.length === 0 || this.#isAsked;
    part('elsewhere').hidden = !isElsewhere;
    this.#updateChip();
    this.#updateLeftOpen();
    if (signer !== undefined && deviceError !== undefined && !isElsewhere) {
      showError(part('connect-result'), deviceError);
    }
  }

  #updateChip(): void {
    const { signer, deviceError, version, leftOpen } = this.wallet.state;
    const [state, text] =
      signer === undefined
        ? ['none', 'No signer']
        : signer.state === 'elsewhere'
          ? ['busy', 'Signer in another tab']
          : leftOpen?.isOnScreen
            ? ['busy', 'Review on the device']
            : deviceError !== undefined
              ? ['bad', headline(deviceError)]
              : version === undefined
                ? ['busy', 'Connecting…']
                : version.locked
                  ? ['bad', 'Unlock the signer']
                  : signer.device.kind === 'emulator'
                    ? ['busy', 'Emulator, no real signer']
                    : ['good', 'Signer connected'];
    part('device-chip').dataset.state = state;
    say('device-chip', text!);
  }

  #updateLeftOpen(): void {
    const { leftOpen } = this.wallet.state;
    part('left-open').hidden = leftOpen === undefined;
    if (leftOpen === undefined) return;
    const what = leftOpen.title === undefined ? 'A review' : `“${leftOpen.title}”`;
    say(
      'left-open-text',
      leftOpen.isOnScreen
        ? `${what} is still on the device's screen, but this page no longer waits for it: reject it there. Whatever you choose, nothing is sent.`
        : `${what} ended while this page was reloaded or closed. Nothing was sent unless it is listed below.`,
    );
    button('left-open-done').hidden = leftOpen.isOnScreen;
  }

  async #request(kind: 'hid' | 'usb'): Promise<void> {
    const device = await this.wallet.devices.request(kind);
    if (device !== undefined) await connect(this.wallet, device);
  }

  /**
   * Connects to the bridge. To pair, the user compares the code on the page with the code in the terminal.
   */
  async #connectBridge(): Promise<void> {
    const { devices } = this.wallet;
    const text = part('bridge-code');
    if (!(await devices.bridge.find())) {
      throw new PageError('no bridge was found: start zbc-signer bridge, which must admit this page');
    }
    try {
      if (!devices.bridge.isPaired) {
        const code = drawCode();
        text.textContent = `Compare in the terminal of the bridge: code ${code}. Answer there.`;
        await devices.bridge.pair(code);
      }
      await connect(this.wallet, devices.bridged());
    } finally {
      text.textContent = '';
    }
  }

  async #useHere(): Promise<void> {
    const pressed = button('use-here');
    pressed.disabled = true;
    part('elsewhere-text').textContent =
      'Asked the other tab. If a review is open there, approve or reject it on the device first.';
    try {
      await this.wallet.state.signer?.useHere();
      await readDevice(this.wallet);
    } finally {
      pressed.disabled = false;
      part('elsewhere-text').textContent = 'One tab uses a signer at a time.';
    }
  }

  async #attempt(act: () => Promise<void>): Promise<void> {
    const result = part('connect-result');
    result.replaceChildren(element('span', 'hint', 'Connecting…'));
    try {
      await act();
      if (this.wallet.state.deviceError === undefined) result.replaceChildren();
    } catch (error) {
      showError(result, error);
    }
  }
}

/** A random code of four digits. */
function drawCode(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `${random % 10_000}`.padStart(4, '0');
}
