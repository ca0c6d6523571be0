import type { Mutations } from '../mutation.js';

/**
 * Defects of the boards' common C. For each defect, Eva must raise an alarm at the line with the third text,
 * in the same file or in the one that is named.
 */
export const BOARD_FAULTS: Mutations = {
  'serial/packets.c': {
    'accepts one byte more than a packet has': [
      'if (taken < MAX_PACKET) packet',
      'if (taken <= MAX_PACKET) packet',
      'packet[taken] = byte',
    ],
  },
  'common/buttons.c': {
    'does not wrap the queue': ['press = queue[taken % QUEUE]', 'press = queue[taken]', 'queue[taken]'],
  },
  'common/exchange.c': {
    'asks twice for a report that an interrupt may withdraw': [
      'take_report(link, report);',
      'take_report(link, link_received(link));',
      'memcpy(reply_channel, report',
    ],
  },
  'common/storage.c': {
    'copies settings that do not exist': ['if (settings) memcpy', 'memcpy', 'memcpy(out, settings'],
  },
  'common/runtime.c': {
    "checks only the start of a span of a module's memory": [
      'address > size || length > size - address',
      'address > size',
      'memcpy(hal->frame',
      'common/front.c',
    ],
  },
};

export const LOADER_FAULTS: Mutations = {
  'loader/image.c': {
    'accepts an image that is longer than its slot': [
      ' && header->payload_bytes <= LARGEST_PAYLOAD &&',
      ' &&',
      'tag->type == expected->type',
    ],
  },
  'loader/verifier.c': {
    'hashes more bytes at a time than its buffer holds': [
      'left < BUFFER_BYTES ? left : BUFFER_BYTES',
      'left',
      'memcpy(buffer, bytes + at',
    ],
  },
};
