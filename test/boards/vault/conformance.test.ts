import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { allChecks, openRealDevice, readCases, runChecks } from '@zbc-signer/emulator/conformance';
import type { Storage } from '../../../testkit/boards/driver.js';
import { Mps2An505 } from '../../../testkit/boards/qemu/mps2-an505.js';
import type { PanelDriver } from '../../../testkit/boards/qemu/panel-driver.js';
import { Riscv } from '../../../testkit/boards/qemu/riscv.js';
import { emptyStorage } from '../../../testkit/boards/storage.js';

const { open } = { riscv: Riscv, 'mps2-an505': Mps2An505 }[globalThis.BOARD as 'riscv' | 'mps2-an505'];
/** Number of starts, so that each has different noise. */
let starts = 0;

function start(storage: Storage): Promise<PanelDriver> {
  starts += 1;
  const noise = createHash('shake256', { outputLength: 4096 }).update(`start ${starts}`).digest();
  return open({ storage, passphrase: null, noise, hasDisplay: false });
}

// This takes minutes, so it runs only before a release.
const atRelease = process.env.ALL_CASES === '1' ? test : test.skip;

atRelease(
  'a board with a vault passes its checks over a UART, also with its power cut',
  async () => {
    let board = await start(emptyStorage());
    let line: Socket | undefined;
    const server = createServer(socket => board.serve((line = socket))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { signer, close } = await openRealDevice({
      device: `uart://127.0.0.1:${(server.address() as AddressInfo).port}`,
      restart: async () => {
        board = await start(await board.cutPower());
        board.serve(line!);
      },
      signal: new AbortController().signal,
      openUser: () => {
        throw new Error('nobody is here');
      },
    });
    const cases = readCases();
    const groups = allChecks(cases).filter(({ name }) => ['identity', 'vault'].includes(name));
    const results = await runChecks(signer, groups, cases);
    close();
    server.close();
    await board.close();
    const outcomes = results.map(({ name, outcome, detail }) => ({ name, outcome, detail }));
    const names = groups.flatMap(({ checks }) => checks).map(({ name }) => name);
    expect(outcomes).toEqual(names.map(name => ({ name, outcome: 'passed', detail: undefined })));
    expect(board.faults()).toEqual([]);
  },
  1_800_000,
);
