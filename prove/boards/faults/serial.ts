import type { FaultGroup } from '../fault.js';

const packets = 'serial/packets.c';

export const serial: FaultGroup = {
  board: 'riscv',
  tests: ['packets', ''],
  faults: [
    {
      name: 'takes a packet with a wrong checksum',
      file: packets,
      find: 'if (crc32(packet, content) == word_at(packet + content)) dispatch',
      replace: 'dispatch',
    },
    {
      name: 'sends an escape unescaped',
      file: packets,
      find: 'if (byte == END || byte == ESCAPE) {',
      replace: 'if (byte == END) {',
      noticedBy: 'need an escape',
    },
    {
      name: 'takes a report of any length',
      file: packets,
      find: 'type == PACKET_REPORT && length == REPORT_BYTES',
      replace: 'type == PACKET_REPORT && length > 0',
      noticedBy: 'too short, too long',
    },
  ],
};

export const connection: FaultGroup = {
  board: 'riscv',
  tests: ['journeys', 'a host'],
  faults: [
    {
      name: 'keeps the review of a host that went away',
      file: packets,
      find: '    lost = true;\n',
      replace: '',
      noticedBy: 'goes away ends its review',
    },
  ],
};

export const flow: FaultGroup = {
  board: 'riscv',
  tests: ['packets', 'come through'],
  faults: [
    {
      name: 'asks for no other report',
      file: packets,
      find: '  has_received = false;\n  packet_send(PACKET_TAKEN, received, 0);\n}\n\nBY_DEFAULT bool',
      replace: '  has_received = false;\n}\n\nBY_DEFAULT bool',
    },
  ],
};
