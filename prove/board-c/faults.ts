import type { Fault } from '../boards/fault.js';

/** A defect of the C that boards share, and what is in the line at which it must be alarmed. */
export interface AlarmedFault extends Fault {
  alarm: readonly [file: string, text: string];
}

export const BOARD_FAULTS: readonly AlarmedFault[] = [
  {
    name: 'takes one byte more than a packet has',
    file: 'serial/packets.c',
    find: 'if (taken < MAX_PACKET) packet',
    replace: 'if (taken <= MAX_PACKET) packet',
    alarm: ['serial/packets.c', 'packet[taken] = byte'],
  },
  {
    name: 'does not wrap the queue of presses',
    file: 'common/buttons.c',
    find: 'press = queue[taken % QUEUE]',
    replace: 'press = queue[taken]',
    alarm: ['common/buttons.c', 'queue[taken]'],
  },
  {
    name: 'asks twice for a report that an interrupt may withdraw',
    file: 'common/exchange.c',
    find: 'take_report(link, report);',
    replace: 'take_report(link, link_received(link));',
    alarm: ['common/exchange.c', 'memcpy(reply_channel, report'],
  },
  {
    name: 'copies settings that are not there',
    file: 'common/storage.c',
    find: 'if (settings) memcpy',
    replace: 'memcpy',
    alarm: ['common/storage.c', 'memcpy(out, settings'],
  },
  {
    name: "looks at the start alone of a span of a module's memory",
    file: 'common/runtime.c',
    find: 'address > size || length > size - address',
    replace: 'address > size',
    alarm: ['common/front.c', 'memcpy(hal->frame'],
  },
];

export const LOADER_FAULTS: readonly AlarmedFault[] = [
  {
    name: 'takes an image that is longer than its slot',
    file: 'loader/image.c',
    find: ' && header->payload_bytes <= LARGEST_PAYLOAD &&',
    replace: ' &&',
    alarm: ['loader/image.c', 'tag->type == expected->type'],
  },
  {
    name: 'hashes more at a time than its buffer has',
    file: 'loader/verifier.c',
    find: 'left < BUFFER_BYTES ? left : BUFFER_BYTES',
    replace: 'left',
    alarm: ['loader/verifier.c', 'memcpy(buffer, bytes + at'],
  },
];
