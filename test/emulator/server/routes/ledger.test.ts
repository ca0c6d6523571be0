import { once } from 'node:events';
import type { EmulatorServer } from '@zbc-signer/emulator';
import {
  CONFIRM_ADDRESS_HEX,
  CONFIRMED_HEX,
  GET_VERSION_HEX,
} from '../../../../testkit/device/confirmed-account.js';
import { startServer } from '../../../../testkit/device/device-host.js';
import { callJson, httpRequest, openRequest } from '../../../../testkit/network/http.js';

let server: EmulatorServer;

beforeEach(async () => {
  server = await startServer();
});

afterEach(() => server.close());

const post = (apduHex: string) => callJson('POST', `${server.ledger}/`, { apduHex });

describe('the Ledger port', () => {
  test('answers GET / with 200', async () => {
    expect((await httpRequest('GET', `${server.ledger}/`)).status).toBe(200);
  });

  test('answers a command with its data and no error', async () => {
    expect(await post(GET_VERSION_HEX)).toEqual({ data: expect.stringMatching(/9000$/), error: null });
  });

  test('holds a reply until the user has decided, through any interface', async () => {
    const pending = post(CONFIRM_ADDRESS_HEX);
    await server.emulator.waitForReview();
    const pages = [];
    while (pages.at(-1) !== 'Approve' && pages.length < 20) {
      await callJson('POST', `${server.api}/button/right`, { action: 'press-and-release' });
      const { events } = await callJson<{ events: { text: string }[] }>(
        'GET',
        `${server.api}/events?currentscreenonly=true`,
      );
      pages.push(events[0]?.text);
    }
    await callJson('POST', `${server.api}/button/both`, { action: 'press-and-release' });
    expect(await pending).toEqual({ data: CONFIRMED_HEX, error: null });
  });

  test('drops the review when the client disconnects', async () => {
    const { sent } = await openRequest('POST', `${server.ledger}/`, {
      body: JSON.stringify({ apduHex: CONFIRM_ADDRESS_HEX }),
    });
    const menu = once(server.emulator, 'screen');
    sent.destroy();
    await menu;
    expect(server.emulator.texts()).toEqual(['ZBC Signer', 'is ready']);
  });

  test.each(['{"apduHex":"e0","x":1}', '{"apduHex":"e"}', '{"data":"e0"}', ''])(
    'answers 400 to %s',
    async body => {
      const reply = await httpRequest('POST', `${server.ledger}/`, { body });
      expect([reply.status, JSON.parse(reply.body.toString())]).toEqual([400, { error: expect.any(String) }]);
    },
  );
});
