import type { FaultGroup } from '../fault.js';

const front = 'common/front.c';

export const rest: FaultGroup = {
  guards: 'docs/boards/pico.md#how-it-behaves',
  board: 'pico',
  tests: ['pico/display', ''],
  faults: {
    [front]: {
      'counts a press on a page while the display is dark': [
        ' && display_rest(true)) shown = false;',
        ' && !display_rest(true)) shown = false;',
        'goes dark',
      ],
    },
    'pico/display.c': {
      'does not free the bus of its display': ['  free_bus();', '  (void)free_bus;', 'interrupted in a byte'],
    },
  },
};

const board = 'pico/board.c';
const mpu = 'pico/mpu.c';
const start = 'pico/start.c';

export const hang: FaultGroup = {
  guards: 'docs/boards/pico.md#how-it-behaves',
  board: 'pico',
  tests: ['pico/faults', ''],
  faults: {
    [board]: {
      'runs no watchdog': ['  start_watchdog(HANG_MILLISECONDS);\n', '', 'resets the chip after 8 s'],
    },
    'pico/keys.c': {
      'feeds its watchdog in an interrupt': [
        '  TIMER_INTR = 1;\n',
        '  TIMER_INTR = 1;\n  board_begin_turn();\n',
        'resets the chip after 8 s',
      ],
    },
    'common/main.c': {
      'never feeds its watchdog': ['    board_begin_turn();\n', '', 'not confused with an idle board'],
    },
    [start]: {
      'clears only its data': ['word < stack;', 'word < &bss_start + 11000;', 'resets the chip after 8 s'],
      'keeps its vectors in flash': ['text_start;', 'text_in_flash;', 'while flash is erased'],
    },
    [mpu]: {
      'allows data to be executed': ['1, READ_WRITE | NEVER_EXECUTED', '1, READ_WRITE', 'code in data'],
      'has no guard below its stack': ['ALL_EIGHTHS >> 1, ', 'ALL_EIGHTHS, ', 'below the stack'],
      'allows writes to code': [
        'set_region(5, 0x20000000, KB_128, ALL_EIGHTHS, READ_ONLY',
        'set_region(5, 0x20000000, KB_128, ALL_EIGHTHS, READ_WRITE',
        'a store into code',
      ],
      'protects no memory': ['MPU_CTRL = CTRL_ENABLE', 'MPU_CTRL = 0', 'is on'],
    },
  },
};
