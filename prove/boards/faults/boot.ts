import type { FaultGroup } from '../fault.js';

const start = 'pico/start.c';
const board = 'pico/board.c';
const display = 'pico/display.c';
const storage = 'common/storage.c';

export const boot: FaultGroup = {
  board: 'pico',
  tests: ['boot', 'boots to the menu'],
  faults: [
    { name: 'leaves the USB controller in reset', file: board, find: ' | RESET_USBCTRL', replace: '' },
    {
      name: 'leaves the clock of USB off',
      file: start,
      find: 'CLK_USB_CTRL = CLK_ENABLE | ',
      replace: 'CLK_USB_CTRL = ',
    },
    {
      name: 'runs USB at 60 MHz',
      file: start,
      find: 'USB_POSTDIV2 = 5',
      replace: 'USB_POSTDIV2 = 4',
    },
    { name: 'runs at 120 MHz', file: start, find: 'SYS_FBDIV = 125', replace: 'SYS_FBDIV = 120' },
    {
      name: 'gives the timer no tick',
      file: start,
      find: 'WATCHDOG_TICK = TICK_MHZ | WATCHDOG_TICK_ENABLE',
      replace: 'WATCHDOG_TICK = TICK_MHZ',
    },
    {
      name: 'gives a pin to another block',
      file: board,
      find: 'use_pin(PIN_SDA, FUNCSEL_I2C)',
      replace: 'use_pin(PIN_SDA, FUNCSEL_SIO)',
    },
    { name: 'has no pull-ups', file: board, find: ' | PAD_PUE', replace: '' },
    {
      name: 'holds SCL low for too short a time',
      file: display,
      find: 'SCL_LOW = 187',
      replace: 'SCL_LOW = 90',
    },
    { name: 'shows frames upside down', file: display, find: '0xA1, 0xC8', replace: '0xA0, 0xC0' },
    {
      name: 'leaves the charge pump off',
      file: display,
      find: '    0x8D, 0x14,  // charge pump on\n',
      replace: '',
    },
    {
      name: 'mirrors the pixels of a byte',
      file: display,
      find: '(7 - x % 8)',
      replace: '(x % 8)',
    },
    {
      name: 'addresses the display by pages',
      file: display,
      find: '    0x20, 0,     // horizontal addressing\n',
      replace: '',
    },
  ],
};

export const seed: FaultGroup = {
  board: 'pico',
  tests: ['boot', 'without a seed|keeps no copy'],
  faults: [
    {
      name: 'takes a damaged seed',
      file: storage,
      find: '         record->crc == crc32((const uint8_t *)record, offsetof(seed_record_t, crc));',
      replace: '         record->number == 0;',
      noticedBy: 'a bit of the seed is wrong',
    },
    {
      name: 'keeps a copy of the seed',
      file: storage,
      find: '  if (!seed_exists()) return false;\n',
      replace:
        '  static volatile uint8_t copy[SEED_BYTES];\n  for (int i = 0; i < SEED_BYTES; i++) copy[i] = flash_read(seed_sector)[8 + i];\n  if (!seed_exists()) return false;\n',
      noticedBy: 'keeps no copy',
    },
    {
      name: 'reads the seed through the cache',
      file: 'pico/flash.c',
      find: 'XIP_NOCACHE_NOALLOC = 0x13000000',
      replace: 'XIP_NOCACHE_NOALLOC = 0x10000000',
      noticedBy: 'keeps no copy',
    },
    {
      name: 'is never locked',
      file: 'common/exchange.c',
      find: 'return !seed_exists();',
      replace: 'return !seed_exists() && false;',
      noticedBy: 'the display says that the signer is locked',
    },
  ],
};
