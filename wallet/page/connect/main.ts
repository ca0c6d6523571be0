import { ZbcSignerError } from '@zbc-signer/chain';
import { ConnectError } from '@zbc-signer/connect';
import { broadcastStateOf } from '@zbc-signer/host';
import { labelOf, selectAccount, showWatched } from '../accounts.js';
import { readChain } from '../chain.js';
import { button, element, find, makeButton, onClick, part, showFacts, valueElement } from '../dom.js';
import { keepFocus } from '../focus.js';
import { notePlug, reconnect } from '../signer.js';
import { isChainChanged, shownAccount } from '../state.js';
import { ConnectView } from '../views/connect.js';
import { UnsettledView } from '../views/unsettled.js';
import { Wallet } from '../wallet.js';
import { explain, PageError, showError } from '../words.js';
import { AllowedPages } from './allowed-pages.js';
import { type AskingPage, askedBy } from './asking-page.js';
import { fulfil } from './fulfilment.js';

/** Interval at which the chain and the page that asks are checked. */
const LOOK_MS = 1000;
/**
 * Time for which `Allow` stays disabled after it could be pressed or this window came to the front. A page may raise
 * the window under the pointer during a double click, or `Allow` may appear where the user connects the signer.
 */
const READ_MS = 700;

const wallet = new Wallet({ url: location.origin });
const allowed = new AllowedPages(wallet.browser.storage);
const views = [new ConnectView(wallet), new UnsettledView(wallet)];
const accountList = find('asking-account', HTMLSelectElement);
const opener = window.opener as Window | null;

let page: AskingPage | undefined;
let isBegun = false;
/** Whether a payment is signed, so that the chain may receive it even if this page is closed now. */
let maySend = false;
/** Whether `Allow` could be pressed, apart from READ_MS, at the last update. */
let wasReady = false;
/** The timer of READ_MS. While it runs, `Allow` is disabled. */
let reading: ReturnType<typeof setTimeout> | undefined;

/** Whether the device can be asked to sign for the chain that this page shows. */
function isReady(): boolean {
  const { state } = wallet;
  const { signer, deviceError, genesisHash, isDiscovering } = state;
  const isOpen = signer?.state === 'open' && deviceError === undefined && shownAccount(state) !== undefined;
  return isOpen && !isDiscovering && genesisHash !== undefined && !isChainChanged(state);
}

function update(): void {
  for (const view of views) view.update();
  part('connect').hidden ||= page === undefined;
  part('away').hidden ||= page === undefined;
  if (page === undefined || isBegun) return;
  const addresses = wallet.state.accounts.map(({ address }) => address);
  const isAway = !part('connect').hidden || !part('away').hidden;
  part('asking-choice').hidden = isAway || addresses.length === 0;
  part('asking-device').hidden = !isAway;
  button('allow').hidden = isAway;
  const texts = wallet.state.accounts.map(account => labelOf(wallet, account));
  if ([...accountList.options].map(({ text }) => text).join() !== texts.join()) {
    accountList.replaceChildren(...texts.map((text, at) => new Option(text, addresses[at])));
    accountList.selectedIndex = wallet.state.selected;
  }
  const canAllow = isReady() && !isAway;
  if (canAllow && !wasReady) waitForReading();
  wasReady = canAllow;
  button('allow').disabled = !canAllow || reading !== undefined;
  showFault();
  const known = addresses.indexOf(allowed.all.get(page.origin) ?? '');
  if (known !== -1 && isReady()) void begin(page, known);
}

/** Shows the errors of the chain; `ConnectView` shows those of the device. */
function showFault(): void {
  const fault = isChainChanged(wallet.state)
    ? new PageError('this gateway now serves another chain than before: open the wallet to use it')
    : wallet.state.chainError;
  showError(part('asking-result'), fault);
}

/**
 * Fulfils the request. Closes the window after an answer; after an error, it stays open for the user to read.
 */
async function begin({ origin, asked }: AskingPage, account: number): Promise<void> {
  isBegun = true;
  button('allow').disabled = true;
  accountList.disabled = true;
  wallet.change({ selected: account });
  try {
    page!.answer({ value: await fulfil(wallet, asked, origin, () => (maySend = true)) });
    close();
  } catch (thrown) {
    const isTyped = thrown instanceof ZbcSignerError || thrown instanceof ConnectError;
    const code = isTyped ? thrown.code : 'WALLET_FAILED';
    const error = thrown instanceof ConnectError ? new PageError(thrown.message) : thrown;
    page!.fail(code, explain(error)[0], asked.method === 'send' ? broadcastStateOf(thrown) : 'no');
    showError(part('asking-result'), error);
    button('refuse').textContent = 'Close';
  }
}

function showAsking(): void {
  part('asking-origin').textContent = page!.origin;
  const [question, ...facts] = page!.question;
  part('asking-heading').textContent = question;
  showFacts(part('asking-facts'), facts);
  part('asking').hidden = false;
  part('asking-heading').focus();
  update();
  void reconnect(wallet);
}

function waitForReading(): void {
  clearTimeout(reading);
  reading = setTimeout(() => {
    reading = undefined;
    update();
  }, READ_MS);
  button('allow').disabled = true;
}

/**
 * Runs every LOOK_MS. Closes this window if the page that asked is gone, unless its payment is approved already.
 * Reads the chain until the gateway has answered.
 */
async function look(): Promise<void> {
  if (opener?.closed && !maySend) close();
  if (wallet.state.genesisHash === undefined || wallet.state.chainError !== undefined)
    await readChain(wallet);
  setTimeout(look, LOOK_MS);
}

function showAllowed(): void {
  const pages = [...allowed.all];
  part('allowed').hidden = false;
  part('none-allowed').hidden = pages.length > 0;
  part('allowed-list').replaceChildren(
    ...pages.map(([origin, address]) => {
      const remove = makeButton('Remove', '', () => {
        allowed.forget(origin);
        showAllowed();
      });
      const about = [element('strong', '', origin), valueElement('p', address)];
      return element('li', '', ...about, element('div', 'row', remove));
    }),
  );
}

async function start(): Promise<void> {
  keepFocus();
  showWatched(wallet);
  wallet.onChange = update;
  update();
  if (opener === null) return showAllowed();
  void look();
  try {
    page = await askedBy(opener);
    showAsking();
  } catch (error) {
    part('asking').hidden = false;
    showError(part('asking-result'), new PageError((error as Error).message));
    part('asking-heading').focus();
  }
}

accountList.addEventListener('change', () => selectAccount(wallet, accountList.selectedIndex));
onClick('allow', () => {
  if (page === undefined || button('allow').disabled) return;
  allowed.allow(page.origin, accountList.value);
  update();
});
onClick('refuse', () => {
  page?.fail('REQUEST_REFUSED', 'You refused it in the wallet.');
  close();
});
part('task').addEventListener('close', () => {
  if (page?.isAnswered) close();
});
wallet.devices.subscribe(event => {
  if (wallet.state.signer !== undefined) notePlug(wallet, event);
  else if (page !== undefined) void reconnect(wallet);
});
addEventListener('focus', waitForReading);
addEventListener('pagehide', () => {
  void wallet.state.signer?.close();
  page?.fail('WINDOW_CLOSED', 'You closed the wallet.', maySend ? 'maybe' : 'no');
});
void start();
