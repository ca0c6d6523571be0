import type { Mutations } from '../mutation.js';

/** Defects of the boards' common C, each with its file and the text of the line that must be alarmed. */
export const BOARD_FAULTS: Mutations = {
  'serial/packets.c': {
    'takes one byte more than a packet has': [
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
    'copies settings that are not there': [
      'if (settings) memcpy',
      'memcpy',
      'common/storage.c',
      'memcpy(out, settings',
    ],
  },
  'common/runtime.c': {
    "looks at the start alone of a span of a module's memory": [
      'address > size || length > size - address',
      'address > size',
      'common/front.c',
      'memcpy(hal->frame',
    ],
  },
};

export const LOADER_FAULTS: Mutations = {
  'loader/image.c': {
    'takes an image that is longer than its slot': [
      ' && header->payload_bytes <= LARGEST_PAYLOAD &&',
      ' &&',
      'loader/image.c',
      'tag->type == expected->type',
    ],
  },
  'loader/verifier.c': {
    'hashes more at a time than its buffer has': [
      'left < BUFFER_BYTES ? left : BUFFER_BYTES',
      'left',
      'loader/verifier.c',
      'memcpy(buffer, bytes + at',
    ],
  },
};
