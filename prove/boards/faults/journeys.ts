import type { FaultGroup } from '../fault.js';

const record = 'common/record.c';
const flash = 'pico/flash.c';
const exchange = 'common/exchange.c';
const front = 'common/front.c';
const debounce = 'common/debounce.c';

export const settings: FaultGroup = {
  board: 'pico',
  tests: ['journeys', 'the menu|power goes'],
  faults: [
    {
      name: 'keeps settings in one sector',
      file: record,
      find: 'sectors[before == 0 ? 1 : 0]',
      replace: 'sectors[before < 0]',
      noticedBy: 'a damaged record',
    },
    {
      name: 'takes settings of which a part was written',
      file: record,
      find: 'word_at(record + end) == crc32(record, end)',
      replace: 'word_at(record + end) != 0',
      noticedBy: 'wherever it goes',
    },
    {
      name: 'gives every record the same number',
      file: record,
      find: '+ MARK_BYTES) + 1;',
      replace: '+ MARK_BYTES);',
      noticedBy: 'survive the loss of power',
    },
    {
      name: 'erases flash with interrupts on',
      file: flash,
      find: '  board_hold_interrupts();\n',
      replace: '',
    },
    {
      name: 'erases flash while it is read as memory',
      file: flash,
      find: '  flash_exit_xip();\n',
      replace: '  (void)flash_exit_xip;\n',
    },
    {
      name: 'stores no settings',
      file: exchange,
      find: 'if (length == SETTINGS_BYTES) settings_store',
      replace: 'if (length != SETTINGS_BYTES) settings_store',
      noticedBy: 'survive the loss of power',
    },
  ],
};

export const buttons: FaultGroup = {
  board: 'pico',
  tests: ['journeys', 'buttons'],
  faults: [
    {
      name: 'does not debounce',
      file: 'common/debounce.h',
      find: 'STABLE_SAMPLES = 8',
      replace: 'STABLE_SAMPLES = 0',
      noticedBy: 'down for 5 ms',
    },
    {
      name: 'acts on each key by itself',
      file: debounce,
      find: 'keys->chord |= down;',
      replace: 'if (down) keys->chord = down;',
      noticedBy: 'held one after the other',
    },
    {
      name: 'counts a press for a frame that came after it began',
      file: front,
      find: '  still_seconds = 0;\n  buttons_forget();\n',
      replace: '  still_seconds = 0;\n',
      noticedBy: 'were down when a review opened',
    },
    {
      name: 'takes left for right',
      file: 'pico/pins.h',
      find: 'PIN_LEFT = 16, PIN_RIGHT = 17',
      replace: 'PIN_LEFT = 17, PIN_RIGHT = 16',
    },
  ],
};

export const trap: FaultGroup = {
  board: 'pico',
  tests: ['journeys', 'a trap'],
  faults: [
    {
      name: 'leaves memory as it is at a trap',
      file: 'pico/board.c',
      find: '1: stmia %0!, {r2}',
      replace: '1: adds %0, #4',
    },
    {
      name: 'starts no watchdog at a trap',
      file: 'pico/board.c',
      find: '  SET_BITS(WATCHDOG_CTRL) = WATCHDOG_CTRL_ENABLE;\n',
      replace: '',
      noticedBy: 'clears all memory',
    },
    {
      name: 'answers nothing at a trap',
      file: 'common/trap.c',
      find: '  exchange_answer_internal();\n',
      replace: '',
      noticedBy: 'answers 6F00',
    },
    {
      name: 'checks no bounds in its imports',
      file: 'common/runtime.c',
      find: 'address > size || length > size - address',
      replace: 'address > size',
      noticedBy: 'an access outside the memory',
    },
  ],
};

export const display: FaultGroup = {
  board: 'pico',
  tests: ['journeys', 'a display'],
  faults: [
    {
      name: 'takes decisions that nobody could see',
      file: front,
      find: '  if (!shown) {\n',
      replace: '  if (false) {\n',
    },
    {
      name: 'sets the display up once',
      file: 'pico/display.c',
      find: 'const bool sent = send(COMMANDS, setup, sizeof setup) &&',
      replace:
        'static bool is_set_up;\n  const bool sent = (is_set_up || (is_set_up = send(COMMANDS, setup, sizeof setup))) &&',
      noticedBy: 'lost power for a moment',
    },
  ],
};

export const links: FaultGroup = {
  board: 'pico',
  tests: ['vectors', 'signs the message 5369676e'],
  faults: [
    {
      name: 'sends a reply to the other link',
      file: exchange,
      find: 'deciding = deciding == NOBODY ? link : NOBODY;',
      replace: 'deciding = deciding == NOBODY ? 0 : NOBODY;',
    },
  ],
};
