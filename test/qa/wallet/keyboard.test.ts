import type { Page } from 'playwright-core';
import { accounts } from '../../../testkit/repository/vectors.js';
import { WalletScene } from './scene.js';

const [FIRST, SECOND] = accounts.cases.map(({ address }) => address) as [string, string];
const PATIENCE_MS = 30_000;
/** Collects what a screen reader announces, and what it would announce again without news. */
const LISTEN = `window.heard = [];
window.repeated = [];
const said = new Map();
addEventListener('DOMContentLoaded', () => new MutationObserver(records => {
  const nodes = records.flatMap(({ target, addedNodes }) => [target, ...addedNodes]);
  const regions = nodes.map(node => (node.closest ? node : node.parentElement)?.closest('[role=status], [role=alert], [aria-live]'));
  for (const region of new Set(regions)) {
    if (!region?.checkVisibility()) continue;
    const { textContent } = region;
    const dialog = document.querySelector('dialog[open]');
    if (textContent !== '' && said.get(region) === textContent && dialog === null) repeated.push(textContent);
    said.set(region, textContent);
    if (dialog?.contains(region) !== false) heard.push(textContent);
  }
}).observe(document.body, { subtree: true, childList: true, characterData: true }));`;
/** The element with the focus, by its name, and what was announced. */
const STATE = `(() => {
  const at = document.activeElement;
  const name = at.labels?.length ? at.labels[0].textContent : (at.ariaLabel ?? at.textContent);
  const what = at === document.body ? 'nothing of ' : at.matches('h2') ? 'heading ' : at.closest('li') ? 'listed ' : '';
  return [(what + name).trim().replaceAll(/\\s+/g, ' ').slice(0, 50), heard.join('\\n')];
})()`;
const DEVICE = 'device';

/**
 * The user moves on to the control of this name and presses a key or types a text, or decides on the device. Then what
 * has the focus, and what was announced.
 */
type Step = [control: string, act: string, focused: string, announced?: RegExp];

const type = (control: string, text: string): Step => [control, text, control];
const go = (place: string): Step => [place, 'Enter', `heading ${place}`];
const more = (link: string, place: string): Step[] => [
  go('More'),
  [`listed ${link}`, 'Enter', `heading ${place}`],
];
/** A review that `control` begins, and that has the focus once its dialog is closed. */
const reviewed = (control: string, announced: RegExp, after = control): Step[] => [
  [control, 'Enter', 'Cancel', /Compare every page on the device/],
  [DEVICE, 'approve', 'Close', announced],
  ['Close', 'Enter', after],
];
const REVIEW = 'Review on the device';
const CONFIRMED = /Confirmed in block/;

const FLOWS: Record<string, Step[]> = {
  'connects the signer': [['Connect over USB', 'Enter', 'heading Home', /Connecting[\s\S]*Signer connected/]],
  'gets test coins': [['Request test coins', 'Enter', 'Request test coins', /Received test coins/]],
  'sends coins': [
    go('Send'),
    type('To', SECOND),
    ['Amount', 'Enter', 'Amount', /amount/i],
    type('Amount', '1'),
    ['Amount', 'Enter', 'Cancel', /Compare every page/],
    ['Cancel', 'Enter', 'Close', /Cancelled/],
    ['Close', 'Enter', 'Amount'],
    [REVIEW, 'Enter', 'Cancel', /Compare every page/],
    [DEVICE, 'reject', 'Close', /You rejected it/],
    ['I did not reject it', 'Enter', 'heading Send 1 ZBC', /withheld 1 signature/],
    ['Close', 'Enter', REVIEW],
    ...reviewed(REVIEW, CONFIRMED),
  ],
  'sends a token': [
    type('To', SECOND),
    type('Amount', '1'),
    ['Asset and balance', 'ArrowDown', 'Asset and balance'],
    ...reviewed(REVIEW, CONFIRMED),
  ],
  'signs into a file, and forgets the payment': [
    type('To', SECOND),
    type('Amount', '2'),
    ...reviewed('Sign only, into a file', /saves it as a file/),
    ['listed Forget', 'Enter', 'heading Send'],
  ],
  'sees the address': [
    go('Receive'),
    ['Show it unconfirmed', 'Enter', 'heading Receive'],
    ...reviewed('Confirm on the device', /You confirmed this address/, 'heading Receive'),
    ['Copy the address', 'Enter', 'Copy the address', /Copied/],
  ],
  'keeps a contact, and removes it': [
    ...more('Contacts', 'Contacts'),
    type('Name', 'Anna'),
    type('Address', SECOND),
    ...reviewed(REVIEW, /the device shows Anna/),
    ['listed Remove', 'Enter', 'heading Contacts', /Removed: Anna/],
  ],
  'makes an escrow, and approves it': [
    ...more('Escrow', 'Escrow'),
    type('To', SECOND),
    type('Amount', '3'),
    type('Approver', FIRST),
    ...reviewed(REVIEW, CONFIRMED),
    ...more('Escrow', 'Escrow'),
    ...reviewed('listed Approve', CONFIRMED, 'heading Escrow'),
  ],
  'signs a message': [
    ...more('Sign and verify', 'Sign and verify'),
    type('Message', 'Hello'),
    ...reviewed(REVIEW, /Signed/),
  ],
  'adds an account': [...more('Accounts', 'Accounts'), ['Add account', 'Enter', 'Add account', /2 accounts/]],
  'disconnects the signer': [
    ...more('Settings', 'Settings'),
    ['Disconnect', 'Enter', 'heading Connect your signer', /No signer/],
  ],
};
const ASKED: Step[] = [
  [DEVICE, 'nothing', 'heading Show this page one of your accounts?'],
  ['Connect over USB', 'Enter', 'heading Show this page one of your accounts?', /Signer connected/],
  ['Account', 'ArrowDown', 'Account'],
];

let scene: WalletScene;
let page: Page;

beforeAll(async () => {
  scene = await WalletScene.launch();
  await scene.context.addInitScript(LISTEN);
  await scene.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  scene.context.on('page', opened => opened.on('dialog', question => question.accept()));
  page = await scene.openTab();
});
afterAll(() => scene?.close());

const stateOf = (of: Page) => of.evaluate<[focused: string, heard: string]>(STATE);

async function moveTo(control: string, of: Page): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const [focused] = await stateOf(of);
    if (focused === control || (control.startsWith('listed') && focused.startsWith(control))) return;
    await of.keyboard.press('Tab');
  }
  throw new Error(`no Tab leads to ${control}`);
}

async function take(steps: readonly Step[], of = page): Promise<void> {
  const { emulator } = scene.server;
  for (const [control, act, focused, announced = /^/] of steps) {
    if (control !== DEVICE) await moveTo(control, of);
    await of.evaluate('heard = []');
    if (act === 'approve' || act === 'reject') {
      await emulator.waitForReview();
      await emulator[act]();
    } else if (control !== DEVICE)
      await (/^(Enter|ArrowDown)$/.test(act) ? of.keyboard.press(act) : of.keyboard.type(act));
    const end = Date.now() + PATIENCE_MS;
    let state = await stateOf(of);
    while ((state[0] !== focused || !announced.test(state[1])) && Date.now() < end) {
      await of.waitForTimeout(50);
      state = await stateOf(of);
    }
    expect([control, act, ...state]).toEqual([control, act, focused, expect.stringMatching(announced)]);
  }
}

test.each(Object.entries(FLOWS))('with only the keyboard, a user %s, and hears it', async (_, steps) => {
  await take(steps);
  expect(await page.evaluate('repeated')).toEqual([]);
});

test('with only the keyboard, a user answers a page that asks', async () => {
  const window = await scene.openAsked();
  await take(ASKED, window);
  // Each time the window gets the focus again, the button waits.
  await window.locator('#allow:enabled').waitFor();
  await moveTo('Allow', window);
  const closed = window.waitForEvent('close');
  await window.keyboard.press('Enter').catch(() => undefined);
  await closed;
  expect(scene.complaints).toEqual([]);
});
