import type { FaultGroup } from '../fault.js';

const start = 'pico/start.c';
const clocks = 'pico/clocks.h';
const board = 'pico/board.c';
const display = 'pico/display.c';
const front = 'common/front.c';
const source = 'pico/noise.c';

export const boot: FaultGroup = {
  board: 'pico',
  tests: ['boot', 'boots to the menu'],
  faults: [
    { name: 'leaves the USB controller in reset', file: board, find: ' | RESET_USBCTRL', replace: '' },
    {
      name: 'leaves the clock of USB off',
      file: clocks,
      find: 'CLK_USB_CTRL = CLK_ENABLE | ',
      replace: 'CLK_USB_CTRL = ',
    },
    {
      name: 'runs USB at 60 MHz',
      file: clocks,
      find: 'USB_POSTDIV2 = 5',
      replace: 'USB_POSTDIV2 = 4',
    },
    { name: 'runs at 120 MHz', file: clocks, find: 'SYS_FBDIV = 125', replace: 'SYS_FBDIV = 120' },
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
  tests: ['boot|pico/keystore', 'without a seed|keeps no copy|older firmware'],
  faults: [
    {
      name: 'keeps a copy of the seed',
      file: front,
      find: '  memcpy(to, keystore_span(at, SEED_BYTES), SEED_BYTES);\n',
      replace:
        '  static volatile uint8_t copy[SEED_BYTES];\n  for (int i = 0; i < SEED_BYTES; i++) copy[i] = keystore_span(at, SEED_BYTES)[i];\n  memcpy(to, keystore_span(at, SEED_BYTES), SEED_BYTES);\n',
      noticedBy: 'keeps no copy',
    },
    {
      name: 'leaves an old seed in flash',
      file: 'pico/flash.c',
      find: '  if (!is_erased) change_flash(old_seed_sector, true, NULL);\n',
      replace: '  (void)is_erased;\n',
      noticedBy: 'is erased at the first start, whole',
    },
    {
      name: 'takes a sector for erased whose start is',
      file: 'pico/flash.c',
      find: 'at < SECTOR_BYTES; at++) is_erased',
      replace: 'at < FLASH_PAGE_BYTES; at++) is_erased',
      noticedBy: 'is erased at the first start, in part',
    },
    {
      name: 'reads an old seed through the cache',
      file: 'pico/flash.c',
      find: 'XIP_NOCACHE_NOALLOC = 0x13000000',
      replace: 'XIP_NOCACHE_NOALLOC = 0x10000000',
      noticedBy: 'boots to the menu',
    },
    {
      name: 'is never locked',
      file: front,
      find: 'return front == &keystore_hal || Z_keystoreZ_locked(&keystore);',
      replace: 'return false;',
      noticedBy: 'the host reads the locked flag',
    },
  ],
};

export const noise: FaultGroup = {
  board: 'pico',
  tests: ['pico/keystore', 'the noise of a Pico'],
  faults: [
    {
      name: 'drops a bit of its noise',
      file: source,
      find: 'byte = byte << 1 | next_bit();',
      replace: 'byte = byte << 1 | (bit == 7 ? next_bit() & 0 : next_bit());',
      noticedBy: 'every bit that its oscillator gave',
    },
    {
      name: 'has a generator behind its noise',
      file: source,
      find: '  return ROSC_RANDOMBIT & 1;',
      replace:
        '  static uint32_t state = 1;\n  state = state * 1103515245 + 12345;\n  return (ROSC_RANDOMBIT ^ state >> 16) & 1;',
      noticedBy: 'that is stuck',
    },
    {
      name: 'reads its noise too fast',
      file: source,
      find: 'BIT_MICROSECONDS = 10',
      replace: 'BIT_MICROSECONDS = 1',
      noticedBy: 'every bit that its oscillator gave',
    },
    {
      name: 'takes noise of an oscillator that stands still',
      file: source,
      find: '    if ((ROSC_STATUS & running) != running) return FAILED;\n',
      replace: '    (void)running;\n',
      noticedBy: 'stands still',
    },
    {
      name: 'says that it has no noise',
      file: front,
      find: 'Z_keystoreZ_boot(&keystore, KEYSTORE_OPTIONS);',
      replace: 'Z_keystoreZ_boot(&keystore, KEYSTORE_OPTIONS & ~1);',
      noticedBy: 'every bit that its oscillator gave',
    },
  ],
};

export const keystore: FaultGroup = {
  board: 'pico',
  tests: ['boards/keystore', ''],
  faults: [
    {
      name: 'gives the seed while the keystore is in front',
      file: front,
      find: '  front = next;\n  front->drawn = true;\n',
      replace: '  if (next == &signer_hal) front = next;\n  front->drawn = true;\n',
      noticedBy: 'who quits',
    },
    {
      name: 'counts no time without a press',
      file: front,
      find: '  Z_keystoreZ_idle(&keystore, ++idle_seconds);\n',
      replace: '  ++idle_seconds;\n',
      noticedBy: 'after half an hour',
    },
    {
      name: 'counts the time from the start',
      file: front,
      find: '  idle_seconds = still_seconds = 0;\n',
      replace: '  still_seconds = 0;\n',
      noticedBy: 'a press puts it off',
    },
    {
      name: 'takes the front within a review',
      file: front,
      find: 'if (next == front || is_pending) return false;',
      replace: '(void)is_pending;\n  if (next == front) return false;',
      noticedBy: 'within a review too',
    },
    {
      name: 'leaves what a host sent when the front changes',
      file: 'common/exchange.c',
      find: '  Z_signerZ_resume(&signer);\n',
      replace: '',
      noticedBy: 'who quits',
    },
  ],
};
