import type { Mutations } from '../mutation.js';

const update = 'loader/update.c';
const image = 'loader/image.c';
const counter = 'loader/counter.c';

/**
 * Defects of the loader. For each of them, a cut, or a start after a cut, must lead to a forbidden outcome.
 */
export const FAULTS: Mutations = {
  [update]: {
    'raises the counter before the image is verified': [
      '  bool is_installed = image_read(&installed, installed_slot, minimum);\n',
      '  bool is_installed = image_read(&installed, installed_slot, minimum);\n' +
        '  const uint8_t *at = flash_read(staged_slot); uint32_t size, next;\n' +
        '  memcpy(&size, at + 12, 4);\n' +
        '  if (size < SLOT_BYTES - 1000) { memcpy(&next, at + 256 + size + 8, 4);\n' +
        '  if (next > minimum && next < 1000) counter_raise(next); }\n',
    ],
    'erases the staged image before the installed one is complete': [
      '    install(staged.length);\n',
      '    install(staged.length - 300);\n    flash_erase(staged_slot);\n    install(0);\n',
    ],
    'empties the staged slot while it copies': [
      '    flash_program(installed_slot + at, page);\n',
      '    flash_program(installed_slot + at, page);\n' +
        '    if (at % SECTOR_BYTES == SECTOR_BYTES - FLASH_PAGE_BYTES) flash_erase(staged_slot + at - at % SECTOR_BYTES);\n',
    ],
    'does not verify the installed image': [
      '    is_installed = image_read(&installed, installed_slot, minimum);\n',
      '    installed = staged;\n    is_installed = true;\n    if (staged.length > 4300) flash_erase(installed_slot + 4096);\n',
    ],
    'does not erase before it writes': '    if (at % SECTOR_BYTES == 0) flash_erase(installed_slot + at);\n',
    'omits the last page': ['at < length; at', 'at + FLASH_PAGE_BYTES < length; at'],
    'starts an incomplete image if its header is complete': [
      '  if (!is_installed) stay();\n',
      '  if (flash_read(installed_slot)[0] == 0x3D) start_installed();\n  if (!is_installed) stay();\n',
    ],
    'installs any staged image': ['(!is_installed || image_is_newer(&staged, &installed))', 'staged.length'],
    'does not install an image if no image is installed': [
      '(!is_installed || image_is_newer(&staged, &installed))',
      'is_installed && image_is_newer(&staged, &installed)',
    ],
    'never raises the counter': '  if (installed.counter > minimum) counter_raise(installed.counter);\n',
    'raises the counter at every start': ['if (installed.counter > minimum) counter_raise', 'counter_raise'],
    'erases the staged slot at every start': ['  if (!is_staged_empty()) flash_erase', '  flash_erase'],
  },
  [image]: {
    'does not check the signature': [
      '      return signature_is_right(digest, rest->signature, loader_keys[i].key);\n',
      '      return true;\n',
    ],
    'accepts any key': ['  return false;\n}\n\nbool image_read', '  return true;\n}\n\nbool image_read'],
    'verifies the digest in the image, not the computed one': [
      'memcmp(digest, rest->digest, DIGEST_BYTES) != 0 || !is_signed(digest, rest)',
      '!is_signed(rest->digest, rest)',
    ],
    'leaves the protected tags out of the digest': [
      '  digest_of(digest, start, HEADER_BYTES + payload_bytes + sizeof *covered);\n',
      '  digest_of(digest, start, HEADER_BYTES + payload_bytes);\n',
    ],
    'does not compare the counter': [' || covered->counter < minimum) return false;', ') return false;'],
    'accepts a counter that is too low by one': ['counter < minimum', 'counter + 1 < minimum'],
    'starts an image that is linked for another place':
      '  if (!vectors_fit((const void *)(start + HEADER_BYTES), payload_bytes)) return false;\n',
    'compares versions before counters': [
      '  if (image->counter != than->counter) return image->counter > than->counter;\n',
      '  if (image->revision != than->revision) return image->revision > than->revision;\n',
    ],
  },
  [counter]: {
    'accepts a partly written counter': [
      '         record->crc == crc32((const uint8_t *)record, offsetof(record_t, crc));',
      '         record->crc != 0;',
    ],
    'uses the counter that was written last': [
      '    if (is_whole(record) && record->counter > largest) largest = record->counter;\n',
      '    if (is_whole(record)) largest = record->counter;\n    else if (!is_erased((const uint8_t *)record)) largest = 0;\n',
    ],
    'erases the sector of the largest counter': [
      '  flash_erase(counter_sectors[!sector]);\n',
      '  flash_erase(counter_sectors[sector]);\n  flash_erase(counter_sectors[!sector]);\n',
    ],
    'overwrites a partly written record': [
      '    if (!is_erased((const uint8_t *)record_at(sector, i))) continue;',
      '    if (is_whole(record_at(sector, i))) continue;',
    ],
    'begins a sector of counters without erasing it': '  flash_erase(counter_sectors[!sector]);\n',
    'reads only the first sector of counters': [' first > second ? first : second;', ' (void)second, first;'],
    'writes its counters to the sector of the seed': [
      '  flash_program(counter_sectors[sector] + index * FLASH_PAGE_BYTES, page);\n',
      '  flash_program(counter_sectors[sector] + 2 * SECTOR_BYTES + index * FLASH_PAGE_BYTES, page);\n',
    ],
  },
};
