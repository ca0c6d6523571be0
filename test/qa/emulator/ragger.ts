// The reviews that Ragger's scenarios decide, and the requests of Ragger 1.47 while it turns the pages.
import { signMessage, signTransaction } from '../../../testkit/device/apdu.js';
import { CONFIRM_ADDRESS_HEX, CONFIRMED_HEX } from '../../../testkit/device/confirmed-account.js';
import { callJson, httpRequest, openRequest, readBody } from '../../../testkit/network/http.js';
import { messages, transactions } from '../../../testkit/repository/vectors.js';

const REJECTED = '6985';

/** A review, with the method of Ragger's NavigateWithScenario that decides it. */
export interface RaggerCase {
  scenario: `${'review' | 'address_review'}_${'approve' | 'reject'}`;
  /** The directory of its screens in test/qa/snapshots, or null if they are not compared. */
  screens: string | null;
  /** Commands in hex, of which the last one opens the review. */
  commands: string[];
  /** The reply to the last command in hex. */
  reply: string;
}

const hexOf = (apdus: readonly Uint8Array[]) => apdus.map(apdu => Buffer.from(apdu).toString('hex'));

function transactionCase(name: string, screens: string): RaggerCase {
  const vector = transactions.cases.find(candidate => candidate.name === name)!;
  const reply = `${vector.expect.signature}${vector.expect.tx_hash}9000`;
  return { scenario: 'review_approve', screens, commands: hexOf(signTransaction(vector)), reply };
}

const { account, message, expect: signed } = messages.cases[0]!;
const escrow = transactionCase('escrow reject, token', 'escrow-reject');
const address = { commands: [CONFIRM_ADDRESS_HEX], reply: CONFIRMED_HEX };

export const CASES: readonly RaggerCase[] = [
  transactionCase('send to self, reference length 113', 'send'),
  transactionCase('token, host reports decimals and symbol', 'token'),
  transactionCase('escrow approve, coin', 'escrow-approve'),
  escrow,
  { ...escrow, scenario: 'review_reject', screens: null, reply: REJECTED },
  {
    scenario: 'review_approve',
    screens: 'message',
    commands: hexOf(signMessage(account, Buffer.from(message, 'hex'))),
    reply: `${'signature' in signed ? signed.signature : ''}9000`,
  },
  { ...address, scenario: 'address_review_approve', screens: 'address' },
  { ...address, scenario: 'address_review_reject', screens: 'address-rejected', reply: REJECTED },
];

/** Ragger's patterns for a Nano, which a text must match from its start. */
const PATTERNS: Readonly<Record<RaggerCase['scenario'], RegExp>> = {
  review_approve:
    /^((Accept risk and (sign (transaction|message|operation))?)|(Sign (transaction|message|operation)))$/,
  review_reject: /^(Reject( (transaction|message|operation))?)$/,
  address_review_approve: /^(Accept risk|Accept|Approve|Sign|Confirm)$/,
  address_review_reject: /^(Cancel|Reject)$/,
};

/**
 * Decides a review with the requests of Ragger, in its order: it pauses the ticker, and waits for each change of the
 * screen in single steps. Resolves with the reply in hex.
 */
export async function decideLikeRagger(url: string, { scenario, commands }: RaggerCase): Promise<string> {
  const post = <Reply>(path: string, body: object) => callJson<Reply>('POST', `${url}${path}`, body);
  const screenshot = async () => (await httpRequest('GET', `${url}/screenshot`)).body;
  const ticker = (action: string) => post('/ticker/', { action });
  let last = await screenshot();
  async function waitForChange(): Promise<void> {
    for (let screen = await screenshot(); ; screen = await screenshot()) {
      if (!screen.equals(last)) {
        last = screen;
        return;
      }
      await ticker('single-step');
    }
  }
  async function isOnScreen(): Promise<boolean> {
    const path = `${url}/events?currentscreenonly=true`;
    const { events } = await callJson<{ events: { text: string }[] }>('GET', path);
    return events.some(({ text }) => PATTERNS[scenario].test(text));
  }
  for (const data of commands.slice(0, -1)) await post('/apdu', { data, tick_timeout: 3000 });
  // Ragger goes on when it has the headers of this reply.
  const body = JSON.stringify({ data: commands.at(-1) });
  const headers = { 'content-type': 'application/json' };
  const { response } = await openRequest('POST', `${url}/apdu`, { body, headers });
  await ticker('pause');
  await waitForChange();
  while (!(await isOnScreen())) {
    await post('/button/right', { action: 'press-and-release' });
    await waitForChange();
  }
  await post('/button/both', { action: 'press-and-release' });
  await waitForChange();
  await ticker('resume');
  return JSON.parse((await readBody(response)).toString()).data;
}
