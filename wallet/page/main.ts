import { part } from './dom.js';
import { AccountView } from './views/account.js';
import { ConnectView } from './views/connect.js';
import { EscrowView } from './views/escrow.js';
import { HistoryView } from './views/history.js';
import { MessageView } from './views/message.js';
import { StatusView } from './views/status.js';
import { TransferView } from './views/transfer.js';
import { UnsettledView } from './views/unsettled.js';
import { Wallet } from './wallet.js';

const REFRESH_MS = 5000;
const SECTIONS = ['overview', 'send', 'receive', 'escrow', 'sign', 'history', 'status'];

const wallet = new Wallet({ url: location.origin });
const history = new HistoryView(wallet);
const escrow = new EscrowView(wallet);
const status = new StatusView(wallet);
const transfer = new TransferView(wallet);
const views = [new ConnectView(wallet), new AccountView(wallet), transfer, new UnsettledView(wallet), status];
new MessageView(wallet);

/** Asked of the gateway when it is opened. */
const READ_WHEN_OPENED = new Map([
  ['history', () => history.open()],
  ['escrow', () => escrow.open()],
  ['status', () => status.open()],
]);

let opened = '';

function openSection(isByUser: boolean): void {
  const name = SECTIONS.find(section => location.hash === `#/${section}`) ?? 'overview';
  for (const section of SECTIONS) part(section).hidden = section !== name;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.getAttribute('href') === `#/${name}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (isByUser) part(`${name}-heading`).focus({ preventScroll: true });
  readSection(name);
}

function readSection(name: string): void {
  const key = `${name} ${wallet.account?.address ?? ''}`;
  if (key === opened) return;
  opened = key;
  void READ_WHEN_OPENED.get(name)?.();
}

function update(): void {
  for (const view of views) view.update();
  openSection(false);
}

async function refresh(): Promise<void> {
  if (!document.hidden) {
    await Promise.all([wallet.readChain(), wallet.readHoldings()]);
    await lookAtStart();
    await wallet.readJournal();
  }
  setTimeout(refresh, REFRESH_MS);
}

let hasLooked = false;

/** Settles what an earlier visit has left, as soon as the chain is known. */
async function lookAtStart(): Promise<void> {
  if (hasLooked || wallet.genesisHash === undefined) return;
  hasLooked = true;
  await wallet.readJournal();
  void wallet.resume();
}

async function reopen(): Promise<void> {
  const device = await wallet.devices.reopen();
  if (device !== undefined && wallet.signer === undefined) await wallet.connect(device);
}

/** Filled once: a reload shows what the user has made of it. */
function openPaymentLink(): void {
  const [place] = location.hash.split('?');
  if (place === location.hash) return;
  transfer.fill(location.hash);
  window.history.replaceState(null, '', place);
}

wallet.onChange = update;
addEventListener('hashchange', () => {
  openPaymentLink();
  opened = '';
  openSection(true);
});
wallet.devices.subscribe(event => {
  if (wallet.signer === undefined) void reopen();
  else wallet.notePlug(event);
});
openPaymentLink();
update();
void wallet.findFaucet();
void refresh();
void reopen();
