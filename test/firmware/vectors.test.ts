import { Emulator } from '@zbc-signer/emulator';
import * as statusWords from '@zbc-signer/protocol/status-words';
import { getPublicKey, send, signMessage, signTransaction } from '../../testkit/device/apdu.js';
import {
  accounts,
  antiExfil,
  type CommandStep,
  contacts,
  messages,
  refusals,
  transactions,
} from '../../testkit/repository/vectors.js';
import { itemsOf } from './shown.js';

let emulator: Emulator;

beforeEach(async () => {
  emulator = await Emulator.start({ seed: transactions.mnemonic });
});

afterEach(() => emulator.stop());

const exchange = (command: Uint8Array) => emulator.exchange(command);

/** On the screen, a line feed breaks the line. The texts that the emulator reports do not contain line feeds. */
const withoutLineFeeds = (review: [string, string][]) =>
  review.map(([title, value]) => [title, value.replaceAll('\n', '')]);

const statusOf = (name: string) =>
  (statusWords as Record<string, number>)[name]!.toString(16).toUpperCase().padStart(4, '0');

/** Toggles settings in the order of their pages, from the first page of the menu. */
function toggle(...settings: boolean[]): void {
  for (const button of ['right', 'both'] as const) emulator.press(button);
  for (const isToggled of settings) {
    if (isToggled) emulator.press('both');
    emulator.press('right');
  }
}

const toggleDetails = () => toggle(false, true);

async function runSteps(steps: CommandStep[]): Promise<void> {
  for (const { command, reply, review, decide } of steps) {
    const pending = emulator.exchange(Buffer.from(command, 'hex'));
    if (review !== undefined) {
      expect(await emulator.review()).toEqual(withoutLineFeeds(review));
      await (decide === 'approve' ? emulator.approve() : emulator.reject());
    }
    expect(Buffer.from(await pending).toString('hex')).toBe(reply);
  }
}

async function reviewAndApprove(apdus: Uint8Array[]) {
  const reply = send(exchange, apdus);
  const review = await emulator.review();
  await emulator.approve();
  return { review, ...(await reply) };
}

describe('vectors/transactions.json', () => {
  test.each(transactions.cases)('shows and signs: $name', async ({ expect: expected, ...request }) => {
    const apdus = signTransaction(request);
    toggleDetails();
    expect(await itemsOf(emulator, apdus)).toEqual(withoutLineFeeds(expected.details));
    toggleDetails();
    const { review, status, data } = await reviewAndApprove(apdus);
    expect(review).toEqual(withoutLineFeeds(expected.review));
    expect(status).toBe('9000');
    expect(data.toString('hex')).toBe(expected.signature + expected.tx_hash);
  });
});

describe('vectors/refusals.json', () => {
  test.each(refusals.cases)('refuses: $name', async ({ expect: expected, ...request }) => {
    const menu = emulator.frame();
    const { status, data } = await send(exchange, signTransaction(request));
    expect(status).toBe(statusOf(expected.refusal));
    expect(data).toHaveLength(4);
    expect(data[0]).toBe(expected.field);
    expect(emulator.frame()).toEqual(menu);
  });
});

describe('vectors/messages.json', () => {
  test.each(messages.cases)(
    'reviews and signs, or refuses, message $#: $message',
    async ({ account, message, expect: expected }) => {
      const apdus = signMessage(account, Buffer.from(message, 'hex'));
      if ('refusal' in expected) {
        const { status, data } = await send(exchange, apdus);
        expect([status, data[0]]).toEqual([statusOf(expected.refusal), expected.field]);
        return;
      }
      const { review, status, data } = await reviewAndApprove(apdus);
      expect(review).toEqual(withoutLineFeeds(expected.review));
      expect([status, data.toString('hex')]).toEqual(['9000', expected.signature]);
    },
  );
});

describe('vectors/contacts.json', () => {
  test.each(contacts.cases)('contacts: $name', async ({ settings = {}, steps }) => {
    toggle(
      settings.unknownChains !== undefined,
      settings.details !== undefined,
      settings.contactsOnly === true,
    );
    await runSteps(steps);
  });
});

describe('vectors/anti-exfil.json', () => {
  test.each(antiExfil.cases)('with a commitment: $name', ({ steps }) => runSteps(steps));
});

describe('vectors/accounts.json', () => {
  test.each(accounts.cases)(
    'gives the key of account $account with and without confirmation',
    async expected => {
      const reply = expected.public_key + Buffer.from(expected.address).toString('hex');
      const silent = await send(exchange, [getPublicKey(expected.account)]);
      expect([silent.status, silent.data.toString('hex')]).toEqual(['9000', reply]);
      const confirmed = await reviewAndApprove([getPublicKey(expected.account, true)]);
      const index = expected.account < 1000 ? [] : [['Account index', `${expected.account}`]];
      expect(confirmed.review).toEqual([...index, ['Address', expected.address]]);
      expect([confirmed.status, confirmed.data.toString('hex')]).toEqual(['9000', reply]);
    },
  );
});
