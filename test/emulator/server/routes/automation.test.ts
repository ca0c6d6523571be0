import { once } from 'node:events';
import { jest } from '@jest/globals';
import { Emulator, type EmulatorServer } from '@zbc-signer/emulator';
import { Automation } from '#emulator/server/automation.js';
import { parseRules } from '#emulator/server/automation-rules.js';
import {
  CONFIRM_ADDRESS,
  CONFIRM_ADDRESS_HEX,
  CONFIRMED_HEX,
} from '../../../../testkit/device/confirmed-account.js';
import { startServer } from '../../../../testkit/device/device-host.js';
import { callJson, httpRequest } from '../../../../testkit/network/http.js';
import { until } from '../../../../testkit/time/until.js';

let server: EmulatorServer;

beforeEach(async () => {
  server = await startServer();
});

afterEach(() => server.close());

const MENU = ['ZBC Signer', 'is ready'];
const RIGHT = [
  ['button', 2, true],
  ['button', 2, false],
];
const BOTH = [
  ['button', 1, true],
  ['button', 2, true],
  ['button', 1, false],
  ['button', 2, false],
];

const automate = (...rules: object[]) => callJson('POST', `${server.api}/automation`, { version: 1, rules });
const confirmAddress = () => callJson('POST', `${server.api}/apdu`, { data: CONFIRM_ADDRESS_HEX });
const press = (name: string) =>
  callJson('POST', `${server.api}/button/${name}`, { action: 'press-and-release' });
const eventTexts = async () => {
  const { events } = await callJson<{ events: { text: string }[] }>('GET', `${server.api}/events`);
  return events.map(({ text }) => text);
};

describe('POST /automation', () => {
  test('goes through a review and approves it without a press from outside', async () => {
    expect(
      await automate(
        { text: 'approve: press both', actions: BOTH },
        { text: 'Address', actions: RIGHT },
        { regexp: 'Address \\(', actions: RIGHT },
      ),
    ).toEqual({});
    expect(await confirmAddress()).toEqual({ data: CONFIRMED_HEX });
    expect(server.emulator.texts()).toEqual(MENU);
  });

  test('rejects a review on the page to which the rules lead', async () => {
    await automate(
      { text: 'press both to reject', actions: BOTH },
      { regexp: 'Address|Approve$', actions: RIGHT },
    );
    expect(await confirmAddress()).toEqual({ data: '6985' });
  });

  test('applies the rules to a screen before the press that drew it is answered, and keeps events in order', async () => {
    await automate({ text: 'Settings', actions: RIGHT });
    await callJson('DELETE', `${server.api}/events`);
    await press('right');
    expect(server.emulator.texts()).toEqual(['Version', '1.0.0']);
    expect(await eventTexts()).toEqual(['Settings', 'Version', '1.0.0']);
  });

  test('applies the first matching rule that has actions', async () => {
    await automate(
      { text: 'Settings' },
      { text: 'Settings', actions: [] },
      { text: 'Settings', actions: RIGHT },
    );
    await press('right');
    expect(server.emulator.texts()).toEqual(['Settings']);
  });

  test('matches expressions from the start of a text, and coordinates exactly', async () => {
    const { x, y } = server.emulator.screen.texts[1]!;
    await automate(
      { regexp: 'ready', actions: RIGHT },
      { regexp: 'is', x: x + 1, actions: RIGHT },
      { regexp: 'is', x, y: y + 1, actions: RIGHT },
    );
    await press('right');
    await press('left');
    expect(server.emulator.texts()).toEqual(MENU);
    await automate({ regexp: 'is r', x, y, actions: RIGHT });
    await press('right');
    await press('left');
    expect(server.emulator.texts()).toEqual(['Settings']);
  });

  test('keeps variables that rules set; until then they are false', async () => {
    await automate(
      { text: 'Settings', conditions: [['seen', true]], actions: RIGHT },
      { text: 'Settings', conditions: [['seen', false]], actions: [['setbool', 'seen', true]] },
    );
    await press('right');
    expect(server.emulator.texts()).toEqual(['Settings']);
    await press('left');
    await press('right');
    expect(server.emulator.texts()).toEqual(['Version', '1.0.0']);
  });

  test('replaces the rules, and does not apply them to the current screen', async () => {
    await automate({ text: 'Settings', actions: RIGHT });
    await automate({ text: 'ZBC Signer', actions: RIGHT });
    expect(server.emulator.texts()).toEqual(MENU);
    await press('right');
    expect(server.emulator.texts()).toEqual(['Settings']);
  });

  test('stops the emulator and its interfaces at "exit"', async () => {
    await automate({ text: 'Settings', actions: [['exit']] });
    const stopped = once(server.emulator, 'stop');
    await press('right').catch(() => 'cut');
    await stopped;
    await expect(callJson('GET', `${server.api}/events`)).rejects.toThrow();
  });

  test('leaves time for other requests when rules trigger each other forever', async () => {
    await automate(
      {
        text: 'Settings',
        actions: [
          ['button', 1, true],
          ['button', 1, false],
        ],
      },
      { text: 'ZBC Signer', actions: RIGHT },
    );
    await press('right');
    const count = (await eventTexts()).length;
    expect(count).toBeGreaterThan(100);
    await automate({ text: 'nothing', actions: [] });
    const { length } = await eventTexts();
    expect(await eventTexts()).toHaveLength(length);
  });
});

describe('a bad document', () => {
  const rule = (parts: object) => JSON.stringify({ version: 1, rules: [parts] });
  test.each([
    ['file:/etc/passwd', /JSON/i],
    ['[]', /object/],
    ['{"version":2,"rules":[]}', /version/],
    ['{"rules":[]}', /version/],
    ['{"version":1,"rules":{}}', /rules/],
    ['{"version":1,"rules":[],"more":1}', /unknown property "more"/],
    [rule({ txt: 'a' }), /unknown property "txt"/],
    [rule({ text: 1 }), /text/],
    [rule({ x: '1' }), /x/],
    [rule({ regexp: '(' }), /rules\[0\]\.regexp/],
    [rule({ regexp: 'a'.repeat(201) }), /regexp/],
    [rule({ conditions: [['seen', 1]] }), /rules\[0\]\.conditions\[0\]/],
    [rule({ conditions: [['seen', true, true]] }), /rules\[0\]\.conditions\[0\]/],
    [rule({ actions: [['button', 3, true]] }), /rules\[0\]\.actions\[0\]/],
    [rule({ actions: [['exit'], ['button', 1]] }), /rules\[0\]\.actions\[1\]/],
    [rule({ actions: [['setbool', 'seen']] }), /rules\[0\]\.actions\[0\]/],
    [rule({ actions: [['finger', 1, 2, true]] }), /touch/],
    [rule({ actions: [['reboot']] }), /rules\[0\]\.actions\[0\]/],
  ])('is answered with 400 and leaves the rules unchanged: %s', async (body, words) => {
    await automate({ text: 'Settings', actions: RIGHT });
    const reply = await httpRequest('POST', `${server.api}/automation`, { body });
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body.toString()).error).toMatch(words);
    await press('right');
    expect(server.emulator.texts()).toEqual(['Version', '1.0.0']);
  });
});

test('drops rules whose expressions take too long, with a warning, and continues', async () => {
  const emulator = await Emulator.start();
  const automation = new Automation(emulator, 100);
  // This takes seconds for a whole line, so that the test ends even without a limit.
  automation.load(
    parseRules([
      { regexp: '(.|.|..)+!', actions: [] },
      { text: 'Approve', actions: BOTH },
    ]),
  );
  const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
  const answered = emulator.exchange(CONFIRM_ADDRESS);
  await until(() => warn.mock.calls.length > 0);
  expect(warn.mock.calls[0]![0]).toContain(
    'took more than 100 ms on one text of the screen: the rules are dropped',
  );
  // The second rule would have approved the review.
  await emulator.reject();
  expect(Buffer.from(await answered).toString('hex')).toBe('6985');
  emulator.stop();
});
