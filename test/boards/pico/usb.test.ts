import { describeDevice } from '@zbc-signer/emulator/usb';
import { TEST_PRODUCT_ID, TEST_VENDOR_ID } from '@zbc-signer/protocol/usb-ids';
import { Board, hex } from '../../../testkit/boards/board.js';
import { FLASH_ID } from '../../../testkit/boards/flash-chip.js';
import { FLASH_BYTES, flashWith, symbol } from '../../../testkit/boards/image.js';
import { SimulatedPico } from '../../../testkit/boards/pico.js';
import { HID, PicoDriver, VENDOR } from '../../../testkit/boards/pico-driver.js';
import { emptyStorage } from '../../../testkit/boards/storage.js';
import { type Setup, STALL, UsbHost } from '../../../testkit/boards/usb-host.js';
import { GET_APP_VERSION, getPublicKey, signTransaction } from '../../../testkit/device/apdu.js';
import { framed } from '../../../testkit/device/reports.js';
import { transactionCases } from '../../../testkit/repository/vectors.js';

const GET_DESCRIPTOR = { type: 0x80, request: 6 };
const EMPTY = '';
const SECTOR_BYTES = 4096;
const STEPS_OF_A_WRITE = 4;
/** Time to erase a sector, according to the flash chip's datasheet (W25Q16JV, 9.6). */
const ERASE_MS = 45;
const PRESS_MS = 14;

/** The answer to a control transfer, in hex. */
function ask(host: UsbHost, setup: Setup): string {
  const result = host.control(setup);
  return result === STALL ? STALL : hex(result);
}

type PicoBoard = Board<PicoDriver>;

async function start(): Promise<PicoBoard> {
  return Board.on(await PicoDriver.open({ storage: emptyStorage() }));
}

describe('enumeration', () => {
  const emulator = describeDevice({
    vendorId: TEST_VENDOR_ID,
    productId: TEST_PRODUCT_ID,
    serialNumber: hex(FLASH_ID).toUpperCase(),
  });
  let host: UsbHost;

  beforeAll(async () => {
    ({ host } = (await start()).driver);
  });

  const expected: [string, Setup, Uint8Array][] = [
    ['device', { ...GET_DESCRIPTOR, value: 0x0100, length: 18 }, emulator.device],
    ['configuration', { ...GET_DESCRIPTOR, value: 0x0200, length: 255 }, emulator.configuration],
    ['BOS', { ...GET_DESCRIPTOR, value: 0x0f00, length: 255 }, emulator.bos],
    ['HID', { type: 0x81, request: 6, value: 0x2100, length: 255 }, emulator.hid],
    ['HID report', { type: 0x81, request: 6, value: 0x2200, length: 255 }, emulator.hidReport],
    ['Microsoft OS', { type: 0xc0, request: 2, index: 7, length: 1024 }, emulator.msOs],
    ...emulator.strings.map((string, index): [string, Setup, Uint8Array] => [
      `string ${index}`,
      { ...GET_DESCRIPTOR, value: 0x0300 + index, index: 0x0409, length: 255 },
      string,
    ]),
  ];

  test.each(expected)(
    'the %s descriptor equals that of the emulator, complete and truncated',
    (_, setup, bytes) => {
      expect(ask(host, setup)).toBe(hex(bytes));
      expect(ask(host, { ...setup, length: 4 })).toBe(hex(bytes.subarray(0, 4)));
      expect(host.faults).toEqual([]);
    },
  );

  test.each<[string, Setup]>([
    ['a landing page', { type: 0xc0, request: 1, value: 1, index: 2, length: 255 }],
    ['a device qualifier', { ...GET_DESCRIPTOR, value: 0x0600, length: 10 }],
    ['a string that does not exist', { ...GET_DESCRIPTOR, value: 0x0304, length: 255 }],
    ['a second configuration', { ...GET_DESCRIPTOR, value: 0x0201, length: 255 }],
    ['an output report over endpoint 0', { type: 0xa1, request: 1, value: 0x0200, length: 64 }],
    ['a feature report', { type: 0xa1, request: 1, value: 0x0300, length: 64 }],
    [
      'the input report of an interface without reports',
      { type: 0xa1, request: 1, value: 0x0100, index: 1, length: 64 },
    ],
    ['remote wakeup', { type: 0, request: 3, value: 1 }],
    ['a test mode', { type: 0, request: 3, value: 2, index: 0x0100 }],
    ['another speed', { ...GET_DESCRIPTOR, value: 0x0700, length: 255 }],
    ['the status of an interface that does not exist', { type: 0x81, request: 0, index: 2, length: 2 }],
    ['the status of an endpoint that does not exist', { type: 0x82, request: 0, index: 3, length: 2 }],
    ['the setting of an interface that does not exist', { type: 0x81, request: 10, index: 2, length: 1 }],
    ['address 128', { type: 0, request: 5, value: 128 }],
    ['configuration 2', { type: 0, request: 9, value: 2 }],
    ['an alternate setting', { type: 1, request: 11, value: 1 }],
    ['an endpoint that does not exist', { type: 2, request: 3, index: 0x83 }],
    ['another WebUSB request', { type: 0xc0, request: 1, value: 1, index: 3, length: 255 }],
  ])('a request for %s stalls, and the next one is answered', (_, setup) => {
    expect(ask(host, setup)).toBe(STALL);
    expect(ask(host, { type: 0x80, request: 8, length: 1 })).toBe('01');
    expect(host.faults).toEqual([]);
  });

  test('SET_IDLE, GET_STATUS, GET_INTERFACE and SET_INTERFACE are answered', () => {
    expect(ask(host, { type: 0x21, request: 10 })).toBe(EMPTY);
    expect(ask(host, { type: 0x80, request: 0, length: 2 })).toBe('0000');
    expect(ask(host, { type: 0x81, request: 10, length: 1 })).toBe('00');
    expect(ask(host, { type: 1, request: 11, index: 1 })).toBe(EMPTY);
    expect(host.faults).toEqual([]);
  });

  test('an input report over endpoint 0 contains only zeros (HID 1.11, 7.2.1)', () => {
    const setup = { type: 0xa1, request: 1, value: 0x0100, length: 64 };
    expect(ask(host, setup)).toBe('00'.repeat(64));
    expect(ask(host, { ...setup, length: 8 })).toBe('00'.repeat(8));
    expect(host.faults).toEqual([]);
  });

  test('the status of endpoint 0 is answered', () => {
    for (const index of [0, 0x80])
      expect(ask(host, { type: 0x82, request: 0, index, length: 2 })).toBe('0000');
  });

  describe('in the Address state', () => {
    beforeAll(() => {
      expect(ask(host, { type: 0, request: 9, value: 0 })).toBe(EMPTY);
    });
    afterAll(() => {
      expect(ask(host, { type: 0, request: 9, value: 1 })).toBe(EMPTY);
    });

    test.each<[string, Setup, string]>([
      ['GET_CONFIGURATION', { type: 0x80, request: 8, length: 1 }, '00'],
      ['GET_STATUS of the device', { type: 0x80, request: 0, length: 2 }, '0000'],
      ['GET_STATUS of endpoint 0', { type: 0x82, request: 0, length: 2 }, '0000'],
      ['GET_STATUS of an interface', { type: 0x81, request: 0, length: 2 }, STALL],
      ['GET_STATUS of an endpoint', { type: 0x82, request: 0, index: 0x81, length: 2 }, STALL],
      ['GET_INTERFACE', { type: 0x81, request: 10, length: 1 }, STALL],
      ['SET_INTERFACE', { type: 1, request: 11 }, STALL],
      ['SET_FEATURE of an endpoint', { type: 2, request: 3, index: 0x81 }, STALL],
      ['CLEAR_FEATURE of an endpoint', { type: 2, request: 1, index: 0x81 }, STALL],
      ['SET_IDLE', { type: 0x21, request: 10 }, STALL],
      ['GET_REPORT', { type: 0xa1, request: 1, value: 0x0100, length: 64 }, STALL],
    ])('%s is answered as USB 2.0, 9.4 requires', (_, setup, answer) => {
      expect(ask(host, setup)).toBe(answer);
      expect(host.faults).toEqual([]);
    });
  });

  test('a SETUP that waits during a bus reset is answered and takes effect', () => {
    expect(host.resetThenControl({ type: 0, request: 5, value: 9 })).toEqual(new Uint8Array());
    expect(ask(host, { type: 0, request: 9, value: 1 })).toBe(EMPTY);
    expect(ask(host, { type: 0x80, request: 8, length: 1 })).toBe('01');
    expect(host.faults).toEqual([]);
  });

  test('the device can be enumerated repeatedly', () => {
    for (let time = 0; time < 20; time++) {
      host.enumerate();
      expect(ask(host, { type: 0x80, request: 8, length: 1 })).toBe('01');
    }
    expect(host.faults).toEqual([]);
  });

  test('the pull-up is enabled once the menu is shown', () => {
    const pico = new SimulatedPico(flashWith());
    const early = new UsbHost(pico);
    pico.run(500, () => early.isConnected);
    expect(early.isConnected).toBe(true);
    expect(pico.display.frame()).toBeDefined();
  });

  test('until SET_ADDRESS completes, the device answers at address 0', () => {
    host.reset();
    expect(ask(host, { ...GET_DESCRIPTOR, value: 0x0100, length: 8 })).toBe(
      hex(emulator.device.subarray(0, 8)),
    );
    expect(ask(host, { type: 0, request: 5, value: 99 })).toBe(EMPTY);
    expect(ask(host, { type: 0x80, request: 8, length: 1 })).toBe('00');
    expect(host.faults).toEqual([]);
  });

  test('an address is not used if its SET_ADDRESS was not completed', () => {
    host.enumerate();
    host.abandon({ type: 0, request: 5, value: 99 });
    for (let time = 0; time < 2; time++) expect(ask(host, { type: 0x80, request: 8, length: 1 })).toBe('01');
    expect(host.faults).toEqual([]);
  });
});

describe('endpoints', () => {
  let board: PicoBoard;
  let host: UsbHost;
  const version = () => hex(board.reference.command(GET_APP_VERSION)!);
  const answers = async (endpoint = HID) =>
    expect(hex(await board.exchange(GET_APP_VERSION, endpoint - HID))).toBe(version());

  beforeAll(async () => {
    board = await start();
    ({ host } = board.driver);
  });

  test('carry commands and replies of one report and of several reports', async () => {
    await answers(HID);
    await answers(VENDOR);
    const reply = await board.exchange(getPublicKey(0), VENDOR - HID);
    expect(hex(reply)).toBe(hex(board.reference.command(getPublicKey(0))!));
  });

  test('begin with DATA0 after SET_CONFIGURATION', async () => {
    await answers();
    expect(ask(host, { type: 0, request: 9, value: 1 })).toBe(EMPTY);
    await answers(HID);
    await answers(VENDOR);
  });

  test('are no longer halted after SET_CONFIGURATION', async () => {
    for (const index of [0x81, 1, 0x82, 2]) expect(ask(host, { type: 2, request: 3, index })).toBe(EMPTY);
    expect(ask(host, { type: 0, request: 9, value: 1 })).toBe(EMPTY);
    await answers(HID);
    await answers(VENDOR);
  });

  test('begin with DATA0 after SET_INTERFACE', async () => {
    await answers(HID);
    await answers(VENDOR);
    for (const index of [0, 1]) expect(ask(host, { type: 1, request: 11, index })).toBe(EMPTY);
    await answers(HID);
    await answers(VENDOR);
    expect(host.faults).toEqual([]);
  });

  test.each([
    [HID, 0x81],
    [VENDOR, 0x82],
  ])('endpoint %d IN sends nothing while it is halted', async (endpoint, address) => {
    expect(ask(host, { type: 2, request: 3, index: address })).toBe(EMPTY);
    const channel = await board.send(GET_APP_VERSION, endpoint - HID);
    board.driver.pico.run(30);
    expect(host.read(endpoint)).toBe(STALL);
    expect(ask(host, { type: 0x82, request: 0, index: address, length: 2 })).toBe('0100');
    expect(ask(host, { type: 2, request: 1, index: address })).toBe(EMPTY);
    expect(hex(await board.receive(channel, endpoint - HID))).toBe(version());
    await answers(endpoint);
  });

  test.each([HID, VENDOR])('endpoint %d OUT takes nothing while it is halted', async endpoint => {
    // The unread reply keeps the device from accepting the next report.
    await board.send(getPublicKey(0), endpoint - HID);
    for (const report of framed(7, GET_APP_VERSION)) host.write(endpoint, report);
    expect(ask(host, { type: 2, request: 3, index: endpoint })).toBe(EMPTY);
    while (host.read(endpoint, 50) !== undefined);
    expect(ask(host, { type: 0x82, request: 0, index: endpoint, length: 2 })).toBe('0100');
    let isTaken = false;
    const withdraw = host.send(endpoint, new Uint8Array(64), () => {
      isTaken = true;
    });
    board.driver.pico.run(30);
    withdraw();
    expect(ask(host, { type: 2, request: 1, index: endpoint })).toBe(EMPTY);
    expect(isTaken).toBe(false);
    while (host.read(endpoint, 50) !== undefined);
    await answers(endpoint);
  });

  test.each([
    [HID, 0x81],
    [VENDOR, 0x82],
  ])('endpoint %d IN can be halted, and continues with DATA0', async (endpoint, address) => {
    await answers(endpoint);
    expect(ask(host, { type: 2, request: 3, index: address })).toBe(EMPTY);
    expect(ask(host, { type: 0x82, request: 0, index: address, length: 2 })).toBe('0100');
    expect(host.read(endpoint)).toBe(STALL);
    expect(ask(host, { type: 2, request: 1, index: address })).toBe(EMPTY);
    expect(ask(host, { type: 0x82, request: 0, index: address, length: 2 })).toBe('0000');
    await answers(endpoint);
  });

  test.each([HID, VENDOR])('endpoint %d OUT can be halted, and continues with DATA0', async endpoint => {
    await answers(endpoint);
    expect(ask(host, { type: 2, request: 3, index: endpoint })).toBe(EMPTY);
    expect(ask(host, { type: 2, request: 1, index: endpoint })).toBe(EMPTY);
    await answers(endpoint);
  });

  test.each([
    [HID, 0x81],
    [VENDOR, 0x82],
  ])(
    'endpoint %d IN drops pending data when a halt ends, and answers the next command',
    async (endpoint, address) => {
      await board.send(GET_APP_VERSION, endpoint - HID);
      board.driver.pico.run(30);
      expect(ask(host, { type: 2, request: 3, index: address })).toBe(EMPTY);
      expect(ask(host, { type: 2, request: 1, index: address })).toBe(EMPTY);
      expect(host.read(endpoint, 50)).toBeUndefined();
      await answers(endpoint);
    },
  );

  test.each([HID, VENDOR])('endpoint %d OUT keeps the pending report when a halt ends', async endpoint => {
    const link = endpoint - HID;
    const channels = [await board.send(getPublicKey(0), link), await board.send(GET_APP_VERSION, link)];
    expect(ask(host, { type: 2, request: 3, index: endpoint })).toBe(EMPTY);
    expect(ask(host, { type: 2, request: 1, index: endpoint })).toBe(EMPTY);
    for (const report of framed(7, GET_APP_VERSION)) host.write(endpoint, report, false);
    board.driver.pico.run(30);
    const replies = [];
    for (const channel of [...channels, 7]) replies.push(hex(await board.receive(channel, link)));
    expect(replies).toEqual([hex(board.reference.command(getPublicKey(0))!), version(), version()]);
  });

  test('accept no more than the device can hold while a host does not read, and lose nothing', async () => {
    const before = host.naks;
    const channels = [1, 2, 3, 4, 5, 6];
    for (const channel of channels)
      for (const report of framed(channel, GET_APP_VERSION)) host.write(HID, report, false);
    board.driver.pico.run(30);
    expect(host.naks - before).toBeGreaterThan(10);
    for (const channel of channels) expect(hex(await board.receive(channel))).toBe(version());
  });

  test('a reply that its host leaves unread for a second does not block the other link', async () => {
    await board.send(getPublicKey(0));
    board.driver.pico.run(1100);
    await answers(VENDOR);
    host.read(HID);
    await answers(HID);
  });

  test.each([HID, VENDOR])(
    'endpoint %d gives a new host no data that the previous host left unread',
    async endpoint => {
      await board.send(getPublicKey(0), endpoint - HID);
      for (const report of framed(7, GET_APP_VERSION)) host.write(endpoint, report);
      board.driver.pico.run(300);
      expect(ask(host, { type: 0, request: 9, value: 1 })).toBe(EMPTY);
      expect(host.read(endpoint, 50)).toBeUndefined();
      await answers(endpoint);
    },
  );

  test('short packets are padded with zeros, whatever was sent before them', async () => {
    host.write(VENDOR, new Uint8Array());
    host.write(HID, Uint8Array.of(1, 2, 5, 0, 0));
    expect(hex(await board.receive(0x0102))).toBe('6700');
    host.write(HID, new Uint8Array(64).fill(0xff));
    host.write(HID, framed(8, GET_APP_VERSION)[0]!.subarray(0, 9));
    expect(hex(await board.receive(8))).toBe(version());
    await answers(VENDOR);
  });
});

describe('a review', () => {
  test.each<[string, (host: UsbHost) => void]>([
    ['a bus reset', host => host.reset()],
    [
      'SET_CONFIGURATION',
      host => {
        host.control({ type: 0, request: 9, value: 1 });
      },
    ],
  ])('is dropped by %s', async (_, act) => {
    const board = await start();
    await board.sendAll(signTransaction(transactionCases[0]!));
    await board.expectFrame();
    act(board.driver.host);
    board.reference.cancel();
    await board.expectFrame();
    expect(board.reference.texts).toEqual(['ZBC Signer', 'is ready']);
    board.driver.host.enumerate();
    const channel = await board.sendAll(signTransaction(transactionCases[1]!));
    expect(hex(await board.approve(channel!)).slice(0, 128)).toBe(transactionCases[1]!.expect.signature);
  });

  test('is dropped, and its page disappears, even if a new host sends a command before that is noticed', async () => {
    const board = await start();
    const { host, pico } = board.driver;
    await board.sendAll(signTransaction(transactionCases[0]!));
    await board.expectFrame();
    let isDrawing = false;
    pico.onEntry('display_show', () => {
      isDrawing = true;
    });
    pico.hold('right', true);
    pico.run(PRESS_MS);
    pico.hold('right', false);
    expect(pico.run(PRESS_MS, () => isDrawing)).toBe(true);
    expect(ask(host, { type: 0, request: 9, value: 1 })).toBe(EMPTY);
    const channel = await board.send(GET_APP_VERSION, HID - HID);
    board.reference.cancel();
    expect(hex(await board.receive(channel))).toBe(hex(board.reference.command(GET_APP_VERSION)!));
    await board.expectFrame();
    expect(board.reference.texts).toEqual(['ZBC Signer', 'is ready']);
  });

  test('is not ended by a cancellation over the other interface on the same channel', async () => {
    const board = await start();
    const channel = await board.sendAll(signTransaction(transactionCases[0]!));
    board.driver.host.write(VENDOR, Uint8Array.of(channel! >> 8, channel! & 0xff, 6));
    board.driver.pico.run(30);
    expect(hex(await board.approve(channel!)).slice(0, 128)).toBe(transactionCases[0]!.expect.signature);
  });

  test('over the bulk endpoint is answered with 6F00 when a trap ends it', async () => {
    const board = await start();
    const channel = await board.sendAll(signTransaction(transactionCases[0]!), VENDOR - HID);
    await board.expectFrame();
    await board.driver.jump('wasm_rt_trap', 1);
    expect(hex(await board.receive(channel!, VENDOR - HID))).toBe('6f00');
  });
});

describe('errata of the chip', () => {
  test('the device is found behind a hub whose bus is never idle (RP2040-E5)', () => {
    const pico = new SimulatedPico(flashWith());
    const host = new UsbHost(pico);
    host.isBusy = true;
    pico.boot();
    host.enumerate();
    expect(ask(host, { type: 0x80, request: 8, length: 1 })).toBe('01');
    expect(host.faults).toEqual([]);
  });

  test('the bulk endpoint is not armed late in a frame (RP2040-E15), and a halt cancels its transfer', async () => {
    const board = await start();
    const { host, pico } = board.driver;
    for (let time = 0; time < 12; time++) {
      pico.run(0.13);
      const reply = await board.exchange(GET_APP_VERSION, VENDOR - HID);
      expect(hex(reply)).toBe(hex(board.reference.command(GET_APP_VERSION)!));
    }
    const isHeld = () => pico.memory(symbol('is_held'), 1)[0] === 1;
    let held = 0;
    for (let time = 0; time < 20; time++) {
      pico.run(0.17);
      await board.send(GET_APP_VERSION, VENDOR - HID);
      pico.run(1, isHeld);
      held += isHeld() ? 1 : 0;
      expect(ask(host, { type: 2, request: 3, index: 0x82 })).toBe(EMPTY);
      if (time % 2 === 0) expect(host.read(VENDOR)).toBe(STALL);
      expect(ask(host, { type: 2, request: 1, index: 0x82 })).toBe(EMPTY);
      expect(host.read(VENDOR, 3)).toBeUndefined();
    }
    expect(held).toBeGreaterThan(3);
    expect(host.faults).toEqual([]);
  });

  test('no reply is lost after a write of flash that held interrupts, nor is it armed late in a frame', async () => {
    const board = await start();
    const { host, pico } = board.driver;
    const erasures = () => pico.rom.calls.filter(name => name === 'RE').length;
    let writes = 0;
    pico.onCall('board_sleep', () => {
      if (pico.memory(symbol('is_held'), 1)[0] && erasures() < writes)
        pico.jump('flash_write', FLASH_BYTES - SECTOR_BYTES, symbol('module_memory'));
    });
    pico.rom.beforeStep = step => {
      if (step % STEPS_OF_A_WRITE === 0) pico.pass(ERASE_MS + erasures() / 8);
    };
    for (let time = 0; time < 14; time++) {
      // Each command comes at another time within a frame.
      pico.run(0.05 * time);
      writes = erasures() + 1;
      const reply = await board.exchange(GET_APP_VERSION, VENDOR - HID);
      expect(hex(reply)).toBe(hex(board.reference.command(GET_APP_VERSION)!));
    }
    expect(erasures()).toBeGreaterThanOrEqual(8);
    expect(host.faults).toEqual([]);
  });
});

describe('a suspended bus', () => {
  const isDark = (board: PicoBoard) => board.driver.pico.display.frame() === undefined;

  test('turns display and PLLs off, and the device forgets neither the review nor the seed', async () => {
    const board = await start();
    const { host, pico } = board.driver;
    const channel = await board.sendAll(signTransaction(transactionCases[0]!));
    await board.awaitApproval();
    host.suspend();
    pico.run(50);
    expect(isDark(board)).toBe(true);
    expect(pico.chip.clkSys).toBe(12e6);
    expect(pico.hasPlls).toBe(false);
    await board.driver.press('both');
    pico.run(50);
    expect(isDark(board)).toBe(true);
    host.resume();
    await board.expectFrame();
    expect(hex(await board.approve(channel!)).slice(0, 128)).toBe(transactionCases[0]!.expect.signature);
    expect(board.driver.faults()).toEqual([]);
  });

  test('can also be woken by a reset', async () => {
    const { host, pico } = (await start()).driver;
    host.suspend();
    pico.run(50);
    host.wakeByReset();
    expect(ask(host, { type: 0x80, request: 8, length: 1 })).toBe('00');
    expect(pico.faults).toEqual([]);
  });

  test('does not stop the half hour after which the seed is forgotten', async () => {
    const board = await start();
    board.driver.host.suspend();
    board.driver.pico.run(50);
    await board.driver.setIdle(1799);
    board.driver.pico.run(1100);
    board.driver.host.resume();
    expect(hex(await board.exchange(getPublicKey(0)))).toBe('5515');
  });

  test('is not detected without a host: the display stays on with power only, and after a host connects', () => {
    const pico = new SimulatedPico(flashWith());
    const host = new UsbHost(pico);
    pico.boot();
    host.suspend();
    pico.run(50);
    expect(pico.display.frame()).toBeDefined();
    host.wakeByReset();
    host.enumerate();
    pico.run(50);
    expect(pico.display.frame()).toBeDefined();
    expect(pico.hasPlls).toBe(true);
    expect(pico.faults).toEqual([]);
  });
});

test('a bus reset just before a report is read loses only that report', async () => {
  const board = await start();
  const { host, pico } = board.driver;
  let asked = 0;
  pico.onEntry('link_received', () => {
    const waiting = pico.memory(symbol('has_received') + HID, 1);
    if (waiting[0] && ++asked === 2) waiting[0] = 0;
  });
  pico.onEntry('link_done', () => {
    asked = 0;
  });
  await board.driver.write(HID - HID, framed(7, GET_APP_VERSION)[0]!);
  pico.run(30);
  host.enumerate();
  expect(pico.resets).toBe(0);
  expect(hex(await board.exchange(GET_APP_VERSION))).toBe(hex(board.reference.command(GET_APP_VERSION)!));
});

test('a host that connects just before its report is read is answered', async () => {
  const board = await start();
  const { pico } = board.driver;
  let isLost = false;
  pico.onEntry('link_received', () => {
    if (isLost || !pico.memory(symbol('has_received') + HID, 1)[0]) return;
    pico.memory(symbol('lost'), 1)[0] = 1;
    isLost = true;
  });
  expect(hex(await board.exchange(GET_APP_VERSION))).toBe(hex(board.reference.command(GET_APP_VERSION)!));
  expect(isLost).toBe(true);
});
