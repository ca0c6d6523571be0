import type { FaultGroup } from '../fault.js';

const record = 'common/record.c';
const flash = 'pico/flash.c';
const exchange = 'common/exchange.c';
const front = 'common/front.c';
const debounce = 'common/debounce.c';

export const settings: FaultGroup = {
  guards: 'docs/SPECIFICATION.md#menu',
  board: 'pico',
  tests: ['journeys', 'the menu|power fails'],
  faults: {
    [record]: {
      'keeps settings in one sector': ['[before == 0 ? 1 : 0]', '[before < 0]', 'a damaged record'],
      'accepts settings of which only a part was written': [
        'word_at(record + end) == crc32(record, end)',
        'word_at(record + end) != 0',
        'wherever it fails',
      ],
      'numbers every record alike': ['+ MARK_BYTES) + 1;', '+ MARK_BYTES);', 'survive the loss of power'],
    },
    [flash]: {
      'erases flash with interrupts on': '  board_hold_interrupts();\n',
      'erases flash while it is read as memory': ['  flash_exit_xip();\n', '  (void)flash_exit_xip;\n'],
    },
    [exchange]: {
      'stores no settings': [
        'if (length == SETTINGS_BYTES) settings_store',
        'if (length != SETTINGS_BYTES) settings_store',
        'survive the loss of power',
      ],
    },
  },
};

export const buttons: FaultGroup = {
  guards: 'docs/SPECIFICATION.md#decision-pages',
  board: 'pico',
  tests: ['journeys', 'buttons'],
  faults: {
    'common/debounce.h': {
      'does not debounce': ['STABLE_SAMPLES = 8', 'STABLE_SAMPLES = 0', 'down for 5 ms'],
    },
    [debounce]: {
      'handles each key separately': ['keys->chord |', 'if (down) keys->chord ', 'held one after the other'],
    },
    [front]: {
      'counts a press for a frame that was drawn after the press began': [
        '  still_seconds = 0;\n  buttons_forget();\n',
        '  still_seconds = 0;\n',
        'were down when a review opened',
      ],
    },
    'pico/pins.h': {
      'swaps left and right': ['PIN_LEFT = 16, PIN_RIGHT = 17', 'PIN_LEFT = 17, PIN_RIGHT = 16'],
    },
  },
};

export const trap: FaultGroup = {
  guards: 'docs/APDU.md#platform-rules',
  board: 'pico',
  tests: ['journeys', 'a trap'],
  faults: {
    'pico/board.c': {
      'leaves memory as it is at a trap': ['1: stmia %0!, {r2}', '1: adds %0, #4'],
      'traps unwatched': ['  SET_BITS(WATCHDOG_CTRL) = WATCHDOG_CTRL_ENABLE;\n', '', 'clears all memory'],
    },
    'common/trap.c': {
      'sends no answer at a trap': ['  exchange_answer_internal();\n', '', 'answers 6F00'],
    },
    'common/runtime.c': {
      'checks no bounds in its imports': [' || length > size - address', '', 'an access outside the memory'],
    },
  },
};

export const display: FaultGroup = {
  guards: 'docs/APDU.md#platform-rules',
  board: 'pico',
  tests: ['journeys', 'a display'],
  faults: {
    [front]: {
      'accepts decisions on a page that was not shown': ['  if (!shown) {\n', '  if (false) {\n'],
    },
    'pico/display.c': {
      'sets the display up only once': [
        'const bool sent = send(COMMANDS, setup, sizeof setup) &&',
        'static bool is_set_up;\n  const bool sent = (is_set_up || (is_set_up = send(COMMANDS, setup, sizeof setup))) &&',
        'lost power for a moment',
      ],
    },
  },
};

export const links: FaultGroup = {
  guards: 'docs/APDU.md#transports',
  board: 'pico',
  tests: ['vectors', 'signs the message 5369676e'],
  faults: {
    [exchange]: {
      'sends a reply to the other link': ['deciding == NOBODY ? link', 'deciding == NOBODY ? 0'],
    },
  },
};
