import type { Mutations } from '../mutation.js';

/**
 * Defects of the boards' common C. For each defect, Eva must raise an alarm at the line with the given text.
 */
export const BOARD_FAULTS: Mutations = {
  'serial/packets.c': {
    'accepts one byte more than a packet has': [
      'if (taken < MAX_PACKET) packet',
      'if (taken <= MAX_PACKET) packet',
      'serial/packets.c',
      'packet[taken] = byte',
    ],
  },
  'common/buttons.c': {
    'does not wrap the queue of presses': [
      'press = queue[taken % QUEUE]',
      'press = queue[taken]',
      'common/buttons.c',
      'queue[taken]',
    ],
  },
  'common/exchange.c': {
    'asks twice for a report that an interrupt may withdraw': [
      'take_report(link, report);',
      'take_report(link, link_received(link));',
      'common/exchange.c',
      'memcpy(reply_channel, report',
    ],
  },
  'common/storage.c': {
    'copies settings that do not exist': [
      'if (settings) memcpy',
      'memcpy',
      'common/storage.c',
      'memcpy(out, settings',
    ],
  },
  'common/runtime.c': {
    "checks only the start of a span of a module's memory": [
      'address > size || length > size - address',
      'address > size',
      'common/front.c',
      'memcpy(hal->frame',
    ],
  },
};

export const LOADER_FAULTS: Mutations = {
  'loader/image.c': {
    'accepts an image that is longer than its slot': [
      ' && header->payload_bytes <= LARGEST_PAYLOAD &&',
      ' &&',
      'loader/image.c',
      'tag->type == expected->type',
    ],
  },
  'loader/verifier.c': {
    'hashes more bytes at a time than its buffer holds': [
      'left < BUFFER_BYTES ? left : BUFFER_BYTES',
      'left',
      'loader/verifier.c',
      'memcpy(buffer, bytes + at',
    ],
  },
};
