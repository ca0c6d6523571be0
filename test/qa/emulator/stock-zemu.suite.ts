// A suite as an app's own would be: nothing in it knows of this emulator. `npx zbc-signer emulator docker --
// npx jest …` runs it.
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stubElf } from '@zbc-signer/emulator/zemu';
import {
  approveWithZemu,
  DEFAULT_START_OPTIONS,
  FLOWS,
  rejectWithZemu,
  Zemu,
} from '../../../testkit/screen/zemu-flow.js';

const elf = stubElf();

beforeAll(async () => {
  await Zemu.checkAndPullImage();
  await Zemu.stopAllEmuContainers();
});

afterAll(async () => {
  await Zemu.stopAllEmuContainers();
  await rm(dirname(elf), { recursive: true });
});

test.concurrent.each(FLOWS)('approves: $name', async flow => {
  expect(await approveWithZemu(new Zemu(elf), flow, 'nanosp')).toBe(flow.expected);
});

test('rejects', async () => {
  const flow = FLOWS[0]!;
  expect(await rejectWithZemu(new Zemu(elf), flow, 'nanox')).toMatchObject({ code: 'USER_REJECTED' });
});

test('starts with the seed of the start options, and shows what the container logs', async () => {
  const sim = new Zemu(elf);
  const custom = '-s "legal winner thank year wave sausage worth useful legal winner thank yellow"';
  await sim.start({ ...DEFAULT_START_OPTIONS, logging: true, custom });
  const reply = await sim.getTransport().send(0xe0, 5, 0, 0, Buffer.alloc(4));
  expect(reply.toString('latin1')).toContain('ZBC_');
  expect(reply.toString('latin1')).not.toContain(FLOWS.find(({ name }) => name === 'address')!.expected);
  await sim.close();
});
