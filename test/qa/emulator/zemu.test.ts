import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { restoreSeed } from '@zbc-signer/emulator';
import { type AttachedEmulator, type AttachOptions, attachZemu, stubElf } from '@zbc-signer/emulator/zemu';
import { Signer } from '@zbc-signer/host/node';
import { startServer } from '../../../testkit/device/device-host.js';
import { accounts } from '../../../testkit/repository/vectors.js';
import {
  approveWithZemu,
  copySnapshots,
  DEFAULT_START_OPTIONS,
  FLOWS,
  rejectWithZemu,
  Zemu,
  type ZemuFlow,
  zondaxMainmenuNavigation,
} from '../../../testkit/screen/zemu-flow.js';

const elf = stubElf();
afterAll(() => rm(join(elf, '..'), { recursive: true }));

/** Instances that are closed after each test, even after a failure. */
const opened: Zemu[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(sim => sim.close()));
});

function newZemu(options?: AttachOptions): Zemu & AttachedEmulator {
  const sim = attachZemu(new Zemu(elf), options);
  opened.push(sim);
  return sim;
}

const send = FLOWS.find(({ name }) => name === 'send')!;
const address = FLOWS.find(({ name }) => name === 'address')!;

test('stock Zemu finds the same screens on a device with a keystore, after the words were entered', async () => {
  const server = await startServer({ keystore: {} });
  restoreSeed(server.emulator, accounts.mnemonic);
  expect(await approveWithZemu(newZemu({ server }), send, 'nanosp')).toBe(send.expected);
  await server.close();
});

describe.each(FLOWS)('stock Zemu, $name', (flow: ZemuFlow) => {
  test('finds every screen as it was reviewed, approves, and gets the expected result', async () => {
    expect(await approveWithZemu(newZemu(), flow, 'nanosp')).toBe(flow.expected);
  });

  test('gets USER_REJECTED when it rejects', async () => {
    expect(await rejectWithZemu(newZemu(), flow, 'nanosp')).toMatchObject({ code: 'USER_REJECTED' });
  });
});

test('Zemu can use the model Nano X as well as Nano S+', async () => {
  expect(await approveWithZemu(newZemu(), address, 'nanox')).toBe(address.expected);
});

test.each(['stax', 'flex', 'apex_p'])(
  'Zemu gets an error at once for the unsupported model %s',
  async model => {
    const started = newZemu().start({ ...DEFAULT_START_OPTIONS, model: model as 'stax' });
    await expect(started).rejects.toThrow(`the model must be nanosp or nanox, not ${model}`);
  },
);

test('Zemu runs all flows at once, each with a separate device', async () => {
  const replies = await Promise.all(FLOWS.map(flow => approveWithZemu(newZemu(), flow, 'nanosp')));
  expect(replies).toEqual(FLOWS.map(({ expected }) => expected));
});

test('Zemu runs one review after another on one device', async () => {
  const sim = newZemu();
  const directory = await copySnapshots();
  await sim.start({ ...DEFAULT_START_OPTIONS, model: 'nanosp' });
  const signer = new Signer(sim.getTransport());
  for (const flow of [address, send, address]) {
    const reply = flow.ask(signer);
    await sim.waitUntilScreenIsNot(sim.getMainMenuSnapshot());
    await sim.compareSnapshotsAndApprove(directory, flow.name);
    expect(await reply).toBe(flow.expected);
    await sim.deleteEvents();
  }
  await rm(directory, { recursive: true });
});

test('Zemu also compares the pages of a rejection', async () => {
  const sim = newZemu();
  const directory = await copySnapshots();
  await sim.start({ ...DEFAULT_START_OPTIONS, model: 'nanosp' });
  const reply = address.ask(new Signer(sim.getTransport()));
  const rejected = expect(reply).rejects.toMatchObject({ code: 'USER_REJECTED' });
  await sim.waitUntilScreenIsNot(sim.getMainMenuSnapshot());
  expect(await sim.compareSnapshotsAndReject(directory, 'address-rejected')).toBe(true);
  await rejected;
  await rm(directory, { recursive: true });
});

test('Zemu fails a test that leaves a review open', async () => {
  const sim = newZemu();
  await sim.start({ ...DEFAULT_START_OPTIONS, model: 'nanosp' });
  const lost = expect(address.ask(new Signer(sim.getTransport()))).rejects.toThrow();
  await sim.waitUntilScreenIsNot(sim.getMainMenuSnapshot());
  await expect(sim.close()).rejects.toMatchObject({
    code: 'STILL_PENDING',
    message: expect.stringMatching(/APDU e00501[\s\S]*it waited for the user:\n\n {2}Address/),
  });
  await lost;
});

test('Zemu visits every page of the menu with the presses that TESTING.md gives', async () => {
  const sim = newZemu();
  await sim.start({ ...DEFAULT_START_OPTIONS, model: 'nanosp' });
  const titles = new Set<string | undefined>();
  sim.emulator.emulator.on('screen', ({ texts: [title] }) => titles.add(title?.text));
  const { schedule } = zondaxMainmenuNavigation('nanosp', [1, 1, -1, 0, 3, 0]);
  await sim.navigate('.', '', schedule, true, false);
  expect([...titles].sort()).toEqual(
    ['Back', 'Contacts only', 'Details', 'Settings', 'Unknown chains', 'Version', 'ZBC Signer'].sort(),
  );
  expect(sim.emulator.emulator.texts()).toEqual(['ZBC Signer', 'is ready']);
});

test('Zemu reports a screen that differs', async () => {
  const sim = newZemu();
  const directory = await copySnapshots();
  const [first, second] = (await readdir(join(directory, 'snapshots/address'))).sort();
  const pathOf = (name: string) => join(directory, 'snapshots/address', name);
  await cp(pathOf(second!), pathOf(first!));
  await sim.start({ ...DEFAULT_START_OPTIONS, model: 'nanosp' });
  const reply = address.ask(new Signer(sim.getTransport()));
  await sim.waitUntilScreenIsNot(sim.getMainMenuSnapshot());
  await expect(sim.compareSnapshotsAndApprove(directory, 'address')).rejects.toThrow('do not match');
  await reply;
  await rm(directory, { recursive: true });
});

test('Zemu fails at once on a status word that it calls critical', async () => {
  const sim = newZemu();
  await sim.start({ ...DEFAULT_START_OPTIONS, model: 'nanosp' });
  await expect(sim.getTransport().send(0xe0, 0x99, 0, 0)).rejects.toMatchObject({ statusCode: 0x6d00 });
  await expect(sim.waitForText('never')).rejects.toThrow(/0x6d00|not supported/i);
  await sim.close();
});

describe('attachZemu', () => {
  const OTHER = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  const addressOf = async (sim: Zemu) => (await new Signer(sim.getTransport()).getPublicKey(0)).address;

  test('prefers the seed of the start options to its own, as Speculos does', async () => {
    const [test, own, custom] = [newZemu(), newZemu({ seed: OTHER }), newZemu()];
    await test.start({ ...DEFAULT_START_OPTIONS });
    await own.start({ ...DEFAULT_START_OPTIONS });
    await custom.start({ ...DEFAULT_START_OPTIONS, custom: `-s "${OTHER}" --color JADE_GREEN` });
    const addresses = await Promise.all([test, own, custom].map(addressOf));
    expect(addresses[0]).toBe(address.expected);
    expect(addresses[1]).not.toBe(address.expected);
    expect(addresses[2]).toBe(addresses[1]);
  });

  test('gives access to the emulator from start to close, and closes its ports', async () => {
    const sim = newZemu();
    expect(() => sim.emulator).toThrow('between start() and close()');
    await sim.start({ ...DEFAULT_START_OPTIONS });
    const { api, emulator } = sim.emulator;
    expect(emulator.texts()).toEqual(['ZBC Signer', 'is ready']);
    await sim.close();
    await sim.close();
    await expect(fetch(api)).rejects.toThrow();
    expect(() => sim.emulator).toThrow('between start() and close()');
  });

  test('attaches to a running emulator, and leaves it running', async () => {
    const server = await startServer();
    const sim = newZemu({ server });
    await sim.start({ ...DEFAULT_START_OPTIONS });
    await sim.clickRight();
    expect(server.emulator.texts()).toEqual(['Settings']);
    await sim.close();
    expect((await fetch(`${server.api}/events`)).status).toBe(200);
    await server.close();
  });

  test('reports an invalid seed, and does not repeat it', async () => {
    const start = newZemu().start({ ...DEFAULT_START_OPTIONS, custom: '-s "hex:5ec2e7"' });
    await expect(start).rejects.toMatchObject({ code: 'BAD_SEED' });
    await expect(start).rejects.not.toThrow(/5ec2e7/);
  });
});
