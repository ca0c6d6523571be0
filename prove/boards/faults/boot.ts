import type { FaultGroup } from '../fault.js';

const start = 'pico/start.c';
const clocks = 'pico/clocks.h';
const board = 'pico/board.c';
const display = 'pico/display.c';
const front = 'common/front.c';
const source = 'pico/noise.c';

export const boot: FaultGroup = {
  guards: 'docs/PORTING.md#what-a-board-supplies',
  board: 'pico',
  tests: ['boot', 'boots to the menu'],
  faults: {
    [board]: {
      'leaves the USB controller in reset': ' | RESET_USBCTRL',
      'connects a pin to another block': ['use_pin(PIN_SDA, FUNCSEL_I2C)', 'use_pin(PIN_SDA, FUNCSEL_SIO)'],
      'has no pull-ups': ' | PAD_PUE',
    },
    [clocks]: {
      'leaves the clock of USB off': ['CLK_USB_CTRL = CLK_ENABLE | ', 'CLK_USB_CTRL = '],
      'runs USB at 60 MHz': ['USB_POSTDIV2 = 5', 'USB_POSTDIV2 = 4'],
      'runs at 120 MHz': ['SYS_FBDIV = 125', 'SYS_FBDIV = 120'],
    },
    [start]: {
      'leaves the timer without a tick': ['TICK_MHZ | WATCHDOG_TICK_ENABLE', 'TICK_MHZ'],
    },
    [display]: {
      'holds SCL low for too short a time': ['SCL_LOW = 187', 'SCL_LOW = 90'],
      'shows frames upside down': ['0xA1, 0xC8', '0xA0, 0xC0'],
      'leaves the charge pump off': '    0x8D, 0x14,  // charge pump on\n',
      'mirrors the pixels of a byte': ['(7 - x % 8)', '(x % 8)'],
      'addresses the display by pages': '    0x20, 0,     // horizontal addressing\n',
    },
  },
};

export const seed: FaultGroup = {
  guards: 'docs/THREATS.md#where-the-seed-is',
  board: 'pico',
  tests: ['boot|pico/keystore', 'without a seed|keeps no copy|older firmware'],
  faults: {
    [front]: {
      'keeps a copy of the seed': [
        '  memcpy(to, keystore_span(at, SEED_BYTES), SEED_BYTES);\n',
        '  static volatile uint8_t copy[SEED_BYTES];\n  for (int i = 0; i < SEED_BYTES; i++) copy[i] = keystore_span(at, SEED_BYTES)[i];\n  memcpy(to, keystore_span(at, SEED_BYTES), SEED_BYTES);\n',
        'keeps no copy',
      ],
      'never reports that it is locked': [
        'return front == &keystore_hal || Z_keystoreZ_locked(&keystore);',
        'return false;',
        'the host reads the locked flag',
      ],
    },
    'pico/flash.c': {
      'leaves an old seed in flash': [
        '  if (!is_erased) change_flash(old_seed_sector, true, NULL);\n',
        '  (void)is_erased;\n',
        'is erased at the first start, whole',
      ],
      'treats a sector as erased if only its start is': [
        'at < SECTOR_BYTES; at++) is_erased',
        'at < FLASH_PAGE_BYTES; at++) is_erased',
        'is erased at the first start, in part',
      ],
      'reads an old seed through the cache': [
        'XIP_NOCACHE_NOALLOC = 0x13000000',
        'XIP_NOCACHE_NOALLOC = 0x10000000',
        'boots to the menu',
      ],
    },
  },
};

export const noise: FaultGroup = {
  guards: 'docs/KEYSTORE.md#a-new-seed',
  board: 'pico',
  tests: ['pico/keystore', 'the noise of a Pico'],
  faults: {
    [source]: {
      'drops a bit of its noise': [
        'byte = byte << 1 | next_bit();',
        'byte = byte << 1 | (bit == 7 ? next_bit() & 0 : next_bit());',
        'every bit of its oscillator',
      ],
      'mixes a pseudo-random generator into its noise': [
        '  return ROSC_RANDOMBIT & 1;',
        '  static uint32_t state = 1;\n  state = state * 1103515245 + 12345;\n  return (ROSC_RANDOMBIT ^ state >> 16) & 1;',
        'that is stuck',
      ],
      'samples too fast': ['BIT_MICROSECONDS = 10', 'BIT_MICROSECONDS = 1', 'every bit of its oscillator'],
      'accepts noise from an oscillator that has stopped': [
        '    if ((ROSC_STATUS & running) != running) return FAILED;\n',
        '    (void)running;\n',
        'stands still',
      ],
    },
    [front]: {
      'reports that it has no noise source': [
        'Z_keystoreZ_boot(&keystore, KEYSTORE_OPTIONS);',
        'Z_keystoreZ_boot(&keystore, KEYSTORE_OPTIONS & ~1);',
        'every bit of its oscillator',
      ],
    },
  },
};

export const keystore: FaultGroup = {
  guards: 'docs/SPECIFICATION.md#keystore-pages',
  board: 'pico',
  tests: ['boards/keystore', ''],
  faults: {
    [front]: {
      'hands out the seed while the keystore is in front': [
        '  front = next;\n  front->drawn = true;\n',
        '  if (next == &signer_hal) front = next;\n  front->drawn = true;\n',
        'who quits',
      ],
      'counts no time without a press': [
        '  Z_keystoreZ_idle(&keystore, ++idle_seconds);\n',
        '  ++idle_seconds;\n',
        'after half an hour',
      ],
      'counts the time from the start instead of the last press': [
        '  idle_seconds = still_seconds = 0;\n',
        '  still_seconds = 0;\n',
        'a press puts it off',
      ],
      'brings the keystore to the front during a review': [
        'if (next == front || is_pending) return false;',
        '(void)is_pending;\n  if (next == front) return false;',
        'within a review too',
      ],
    },
    'common/exchange.c': {
      'keeps the data of a host behind the keystore': ['  Z_signerZ_resume(&signer);\n', '', 'who quits'],
    },
  },
};
