import type { FaultGroup } from '../fault.js';

const display = 'lm3s6965/display.c';
const flash = 'lm3s6965/flash.c';
const board = 'lm3s6965/board.c';
const core = 'cortex-m/core.c';

export const oled: FaultGroup = {
  guards: 'docs/PORTING.md#what-a-board-supplies',
  board: 'lm3s6965',
  tests: ['boot', 'boots to the menu'],
  faults: {
    [display]: {
      'swaps the pixels of a byte': [
        '(bits & 2 ? 0xF0 : 0) | (bits & 1 ? 0x0F : 0)',
        '(bits & 1 ? 0xF0 : 0) | (bits & 2 ? 0x0F : 0)',
      ],
      'sends pixels as commands': '  GPIODATA(GPIOC, PIN_DATA_NOT_COMMAND) = PIN_DATA_NOT_COMMAND;\n',
      'draws in a window that is too small': ['0x15, 0, 63, 0x75, 0, 63,', '0x15, 0, 62, 0x75, 0, 63,'],
      'shows grey pixels': ['? 0xF0 : 0', '? 0x70 : 0'],
    },
  },
};

export const pins: FaultGroup = {
  guards: 'docs/boards/lm3s6965.md#host-and-buttons',
  board: 'lm3s6965',
  tests: ['keys|journeys', 'select|the menu'],
  faults: {
    [board]: {
      'swaps left and right': ['1 << 2, PIN_RIGHT = 1 << 3', '1 << 3, PIN_RIGHT = 1 << 2'],
      'does not see the select key': '  if (!GPIODATA(GPIOF, PIN_SELECT)) return KEY_LEFT | KEY_RIGHT;\n',
    },
    [flash]: {
      'writes flash without the key': ['FMC = FMC_WRKEY | action;', 'FMC = action;'],
      'erases no page': ['  command(FMC_ERASE);\n', '', 'survive the loss of power'],
      'writes every word at the start of the page': ['offset + at;', 'offset;', 'survive the loss of power'],
    },
  },
};

export const clock: FaultGroup = {
  guards: 'docs/PORTING.md#what-a-board-supplies',
  board: 'lm3s6965',
  tests: ['clock', 'the time continues'],
  faults: {
    [core]: {
      'counts ticks only in their interrupt': ['    count_tick();\n  } while', '  } while'],
    },
  },
};

export const ram: FaultGroup = {
  guards: 'docs/APDU.md#platform-rules',
  board: 'lm3s6965',
  tests: ['journeys', 'a trap'],
  faults: {
    [core]: {
      'leaves memory as it is at a trap': ['1: stmia %0!, {r2}', '1: add %0, #4'],
    },
  },
};
