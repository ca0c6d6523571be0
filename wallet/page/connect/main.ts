import { ZbcSignerError } from '@zbc-signer/chain';
import { ConnectError } from '@zbc-signer/connect';
import { broadcastStateOf } from '@zbc-signer/host';
import { button, element, find, makeButton, onClick, part } from '../dom.js';
import { shorten } from '../format.js';
import { ConnectView } from '../views/connect.js';
import { UnsettledView } from '../views/unsettled.js';
import { describeError, explain, PageError } from '../words.js';
import { AllowedPages } from './allowed-pages.js';
import { AskedWallet } from './asked-wallet.js';
import { type AskingPage, askedBy } from './asking-page.js';

/** Interval at which the chain and the page that asks are checked. */
const LOOK_MS = 1000;
/**
 * Time for which `Allow` is disabled after this window came to the front. A page may raise the window under
 * the pointer during a double click, whose second click then has no effect.
 */
const READ_MS = 700;

const ASKS = {
  account: 'It asks for the address of one of your accounts.',
  sign: 'It asks for a signature of a message.',
  send: 'It asks for a payment.',
};

const wallet = new AskedWallet({ url: location.origin });
const allowed = new AllowedPages(wallet.browser.storage);
const views = [new ConnectView(wallet), new UnsettledView(wallet)];
const accountList = find('asking-account', HTMLSelectElement);
const opener = window.opener as Window | null;

let page: AskingPage | undefined;
let isBegun = false;
/** The timer of READ_MS. While it runs, `Allow` is disabled. */
let reading: ReturnType<typeof setTimeout> | undefined;

/** Whether the device can be asked to sign for the chain that this page shows. */
function isReady(): boolean {
  const { signer, deviceError, genesisHash, chainChanged, isDiscovering, account } = wallet;
  const isOpen = signer?.state === 'open' && deviceError === undefined && account !== undefined;
  return isOpen && !isDiscovering && genesisHash !== undefined && !chainChanged;
}

function update(): void {
  for (const view of views) view.update();
  part('connect').hidden ||= page === undefined;
  part('away').hidden ||= page === undefined;
  if (page === undefined || isBegun) return;
  const addresses = wallet.accounts.map(({ address }) => address);
  part('asking-choice').hidden = addresses.length === 0;
  part('asking-device').hidden = part('connect').hidden;
  if ([...accountList.options].map(({ value }) => value).join() !== addresses.join()) {
    accountList.replaceChildren(
      ...addresses.map(address => new Option(`${wallet.nameOf(address)} ${shorten(address)}`, address)),
    );
    accountList.value = addresses[wallet.selected] ?? '';
  }
  button('allow').disabled = !isReady() || reading !== undefined;
  showFault();
  const known = addresses.indexOf(allowed.all.get(page.origin) ?? '');
  if (known !== -1 && isReady()) void begin(page, known);
}

/** Shows the errors of the chain; `ConnectView` shows those of the device. */
function showFault(): void {
  const fault = wallet.chainChanged
    ? new PageError('this gateway now serves another chain than before: open the wallet to use it')
    : wallet.chainError;
  part('asking-result').replaceChildren(...(fault === undefined ? [] : [describeError(fault)]));
}

/**
 * Fulfils the request. Closes the window after an answer; after an error, it stays open for the user to read.
 */
async function begin({ origin, asked }: AskingPage, account: number): Promise<void> {
  isBegun = true;
  wallet.selected = account;
  button('allow').disabled = true;
  accountList.disabled = true;
  try {
    page!.answer({ value: await wallet.fulfil(asked, origin) });
    close();
  } catch (thrown) {
    const isTyped = thrown instanceof ZbcSignerError || thrown instanceof ConnectError;
    const code = isTyped ? thrown.code : 'WALLET_FAILED';
    const error = thrown instanceof ConnectError ? new PageError(thrown.message) : thrown;
    page!.fail(code, explain(error).what, asked.method === 'send' ? broadcastStateOf(thrown) : 'no');
    part('asking-result').replaceChildren(describeError(error));
    button('refuse').textContent = 'Close';
  }
}

function showAsking(): void {
  part('asking-origin').textContent = page!.origin;
  part('asking-what').textContent = ASKS[page!.asked.method];
  part('asking').hidden = false;
  waitForReading();
  void reopen();
}

function waitForReading(): void {
  clearTimeout(reading);
  reading = setTimeout(() => {
    reading = undefined;
    update();
  }, READ_MS);
  update();
}

async function reopen(): Promise<void> {
  const device = await wallet.devices.reopen();
  if (device !== undefined && wallet.signer === undefined) await wallet.connect(device);
}

/**
 * Runs every LOOK_MS. Closes this window if the page that asked is gone, unless its payment is approved already.
 * Reads the chain until the gateway has answered.
 */
async function look(): Promise<void> {
  if (opener?.closed && !wallet.maySend) close();
  if (wallet.genesisHash === undefined || wallet.chainError !== undefined) await wallet.readChain();
  setTimeout(look, LOOK_MS);
}

function showAllowed(): void {
  const pages = [...allowed.all];
  part('allowed').hidden = false;
  part('none-allowed').hidden = pages.length > 0;
  part('allowed-list').replaceChildren(
    ...pages.map(([origin, address]) => {
      const remove = makeButton('Remove', 'plain', () => {
        allowed.forget(origin);
        showAllowed();
      });
      const about = [element('strong', '', origin), element('p', 'mono', address)];
      return element('li', '', ...about, element('div', 'row', remove));
    }),
  );
}

async function start(): Promise<void> {
  wallet.onChange = update;
  update();
  if (opener === null) return showAllowed();
  void look();
  try {
    page = await askedBy(opener);
    showAsking();
  } catch (error) {
    part('asking').hidden = false;
    part('asking-result').replaceChildren(describeError(new PageError((error as Error).message)));
  }
}

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
  if (wallet.signer !== undefined) wallet.notePlug(event);
  else if (page !== undefined) void reopen();
});
addEventListener('focus', waitForReading);
addEventListener('pagehide', () => {
  void wallet.signer?.close();
  page?.fail('WINDOW_CLOSED', 'You closed the wallet.', wallet.maySend ? 'maybe' : 'no');
});
void start();
