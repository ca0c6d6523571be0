import type { FaultGroup } from '../fault.js';

const packets = 'serial/packets.c';

export const serial: FaultGroup = {
  guards: 'docs/APDU.md#uart',
  board: 'riscv',
  tests: ['packets', ''],
  faults: {
    [packets]: {
      'accepts a packet with a wrong checksum': 'if (crc32(packet, content) == word_at(packet + content)) ',
      'sends an escape unescaped': ['(byte == END || byte == ESCAPE) {', '(byte == END) {', 'need an escape'],
      'accepts a report of any length': ['length == REPORT_BYTES', 'length > 0', 'too short, too long'],
    },
  },
};

export const connection: FaultGroup = {
  guards: 'docs/APDU.md#uart',
  board: 'riscv',
  tests: ['journeys', 'a host'],
  faults: {
    [packets]: {
      'keeps the review of a host that went away': ['    lost = true;\n', '', 'disconnects ends its review'],
    },
  },
};

export const flow: FaultGroup = {
  guards: 'docs/APDU.md#uart',
  board: 'riscv',
  tests: ['packets', 'arrive unchanged'],
  faults: {
    [packets]: {
      'never asks for the next report': [
        '  has_received = false;\n  packet_send(PACKET_TAKEN, received, 0);\n}\n\nBY_DEFAULT bool',
        '  has_received = false;\n}\n\nBY_DEFAULT bool',
      ],
    },
  },
};
