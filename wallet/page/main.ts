import { readHoldings, showWatched } from './accounts.js';
import { ActivityReader } from './activity-reader.js';
import { findFaucet, readChain } from './chain.js';
import { readContacts } from './contacts.js';
import { part } from './dom.js';
import { keepFocus } from './focus.js';
import { readJournal, resume } from './payments.js';
import { denyRejection, notePlug, readDevice, reconnect } from './signer.js';
import { gatewayError, shownAccount } from './state.js';
import { onDenial } from './task.js';
import { AccountsView } from './views/accounts.js';
import { ActivityView } from './views/activity.js';
import { ConnectView } from './views/connect.js';
import { ContactsView } from './views/contacts.js';
import { EscrowView } from './views/escrow.js';
import { HomeView } from './views/home.js';
import { MessageView } from './views/message.js';
import { ReceiveView } from './views/receive.js';
import { SendView } from './views/send.js';
import { SettingsView, showNotifications } from './views/settings.js';
import { UnsettledView } from './views/unsettled.js';
import { Wallet } from './wallet.js';

const REFRESH_MS = 5000;
const PLACES = ['home', 'send', 'receive', 'activity', 'more'];
/** The parts of the page in the menu More. */
const REST = ['contacts', 'escrow', 'sign', 'accounts', 'settings'];

const wallet = new Wallet({ url: location.origin });
onDenial(() => denyRejection(wallet));
const reader = new ActivityReader(wallet);
const activity = new ActivityView(wallet, reader);
const escrow = new EscrowView(wallet, reader);
const send = new SendView(wallet);
const views = [
  new ConnectView(wallet),
  new AccountsView(wallet),
  new ContactsView(wallet),
  new HomeView(wallet),
  send,
  new ReceiveView(wallet),
  escrow,
  new UnsettledView(wallet),
  new SettingsView(wallet),
];
new MessageView(wallet);

/**
 * For each part of the page with data of the gateway, a function that reads the data when the part is opened.
 */
const READ_WHEN_OPENED = new Map<string, () => unknown>([
  ['home', () => activity.openLatest('latest')],
  ['send', () => send.open()],
  ['receive', () => activity.openLatest('received')],
  ['activity', () => activity.open()],
  ['contacts', () => readContacts(wallet)],
  ['escrow', () => escrow.open()],
  ['settings', showNotifications],
]);

/** Identifies the data that the open part of the page lists. If it changes, the data is read again. */
let opened = '';

/** The part of the page that the URL names; Home for any other URL. */
function currentPlace(): string {
  const asked = /^#\/(\w+)$/.exec(location.hash)?.[1] ?? '';
  return [...PLACES, ...REST].includes(asked) ? asked : 'home';
}

function showPlace(name: string): void {
  for (const place of [...PLACES, ...REST]) part(place).hidden = place !== name;
  const shown = REST.includes(name) ? 'more' : name;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.getAttribute('href') === `#/${shown}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

function openPlace(isByUser: boolean): void {
  const name = currentPlace();
  showPlace(name);
  if (isByUser) part(`${name}-heading`).focus({ preventScroll: true });
  const { address = '', balance } = shownAccount(wallet.state) ?? {};
  const key = [name, address, /home|receive/.test(name) ? balance?.balance : ''].join();
  if (key === opened) return;
  opened = key;
  if (shownAccount(wallet.state) !== undefined) void READ_WHEN_OPENED.get(name)?.();
}

let isAnswered = true;

function update(): void {
  for (const view of views) view.update();
  const wasAnswered = isAnswered;
  isAnswered = gatewayError(wallet.state) === undefined;
  if (isAnswered && !wasAnswered) askAgain();
  openPlace(false);
}

/** Repeats the requests that the gateway did not answer. */
function askAgain(): void {
  opened = '';
  void findFaucet(wallet);
}

async function refresh(): Promise<void> {
  try {
    if (document.hidden) return;
    // The other tab may have been closed.
    if (wallet.state.signer?.state === 'elsewhere') void readDevice(wallet);
    await Promise.all([readChain(wallet), readHoldings(wallet)]);
    await lookAtStart();
    await readJournal(wallet);
  } finally {
    setTimeout(refresh, REFRESH_MS);
  }
}

let hasLooked = false;

/** Once the chain is known, settles the payments that an earlier visit has left in the journal. */
async function lookAtStart(): Promise<void> {
  if (hasLooked || wallet.state.genesisHash === undefined) return;
  hasLooked = true;
  await readJournal(wallet);
  void resume(wallet);
}

/** Fills the form from a payment link in the URL, once, so that a reload does not undo the user's changes. */
function openPaymentLink(): void {
  const [place] = location.hash.split('?');
  if (place === location.hash) return;
  send.openLink(location.hash);
  window.history.replaceState(null, '', place);
}

keepFocus();
showWatched(wallet);
wallet.onChange = update;
addEventListener('hashchange', () => {
  openPaymentLink();
  opened = '';
  openPlace(true);
  scrollTo(0, 0);
});
wallet.devices.subscribe(event => {
  if (wallet.state.signer === undefined) void reconnect(wallet);
  else notePlug(wallet, event);
});
openPaymentLink();
update();
void findFaucet(wallet);
void refresh();
void reconnect(wallet);
