import type { Mutations } from '../mutation.js';

const update = 'loader/update.c';
const image = 'loader/image.c';
const counter = 'loader/counter.c';

/** Defects of the loader; a cut, or a start after one, must lead to a forbidden outcome. */
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
    'erases the staged image before the installed one is whole': [
      '    install(staged.length);\n',
      '    install(staged.length - 300);\n    flash_erase(staged_slot);\n    install(0);\n',
    ],
    'empties the staged slot while it copies': [
      '    flash_program(installed_slot + at, page);\n',
      '    flash_program(installed_slot + at, page);\n' +
        '    if (at % SECTOR_BYTES == SECTOR_BYTES - FLASH_PAGE_BYTES) flash_erase(staged_slot + at - at % SECTOR_BYTES);\n',
    ],
    'does not verify what it has installed': [
      '    is_installed = image_read(&installed, installed_slot, minimum);\n',
      '    installed = staged;\n    is_installed = true;\n    if (staged.length > 4300) flash_erase(installed_slot + 4096);\n',
    ],
    'does not erase before it writes': [
      '    if (at % SECTOR_BYTES == 0) flash_erase(installed_slot + at);\n',
      '',
    ],
    'leaves out the last page': [
      'at < length; at += FLASH_PAGE_BYTES',
      'at + FLASH_PAGE_BYTES < length; at += FLASH_PAGE_BYTES',
    ],
    'starts a torn image when its header is whole': [
      '  if (!is_installed) stay();\n',
      '  if (flash_read(installed_slot)[0] == 0x3D) start_installed();\n  if (!is_installed) stay();\n',
    ],
    'installs whatever is staged': [
      '(!is_installed || image_is_newer(&staged, &installed))',
      'staged.length',
    ],
    'does not install where nothing is installed': [
      '(!is_installed || image_is_newer(&staged, &installed))',
      'is_installed && image_is_newer(&staged, &installed)',
    ],
    'never raises the counter': [
      '  if (installed.counter > minimum) counter_raise(installed.counter);\n',
      '',
    ],
    'raises the counter at every start': ['if (installed.counter > minimum) counter_raise', 'counter_raise'],
    'leaves what was staged': [
      '  if (!is_staged_empty()) flash_erase(staged_slot);\n',
      '  flash_erase(staged_slot);\n',
    ],
  },
  [image]: {
    'does not look at the signature': [
      '      return signature_is_right(digest, rest->signature, loader_keys[i].key);\n',
      '      return true;\n',
    ],
    'takes any key': ['  return false;\n}\n\nbool image_read', '  return true;\n}\n\nbool image_read'],
    'verifies the digest that the image names': [
      'memcmp(digest, rest->digest, DIGEST_BYTES) != 0 || !is_signed(digest, rest)',
      '!is_signed(rest->digest, rest)',
    ],
    'leaves the protected tags out of the digest': [
      '  digest_of(digest, start, HEADER_BYTES + payload_bytes + sizeof *covered);\n',
      '  digest_of(digest, start, HEADER_BYTES + payload_bytes);\n',
    ],
    'does not compare the counter': [' || covered->counter < minimum) return false;', ') return false;'],
    'takes an older counter by one': ['covered->counter < minimum', 'covered->counter + 1 < minimum'],
    'starts what is linked for another place': [
      '  if (!vectors_fit((const void *)(start + HEADER_BYTES), payload_bytes)) return false;\n',
      '',
    ],
    'compares versions before counters': [
      '  if (image->counter != than->counter) return image->counter > than->counter;\n',
      '  if (image->revision != than->revision) return image->revision > than->revision;\n',
    ],
  },
  [counter]: {
    'takes a counter that was cut short': [
      '         record->crc == crc32((const uint8_t *)record, offsetof(record_t, crc));',
      '         record->crc != 0;',
    ],
    'takes the counter that was written last': [
      '    if (is_whole(record) && record->counter > largest) largest = record->counter;\n',
      '    if (is_whole(record)) largest = record->counter;\n    else if (!is_erased((const uint8_t *)record)) largest = 0;\n',
    ],
    'erases the sector of the largest counter': [
      '  flash_erase(counter_sectors[!sector]);\n',
      '  flash_erase(counter_sectors[sector]);\n  flash_erase(counter_sectors[!sector]);\n',
    ],
    'writes over a record that was cut short': [
      '    if (!is_erased((const uint8_t *)record_at(sector, i))) continue;',
      '    if (is_whole(record_at(sector, i))) continue;',
    ],
    'begins a sector of counters without an erase': ['  flash_erase(counter_sectors[!sector]);\n', ''],
    'reads the first sector of counters alone': [
      '  return first > second ? first : second;',
      '  return (void)second, first;',
    ],
    'keeps its counters where the seed is': [
      '  flash_program(counter_sectors[sector] + index * FLASH_PAGE_BYTES, page);\n',
      '  flash_program(counter_sectors[sector] + 2 * SECTOR_BYTES + index * FLASH_PAGE_BYTES, page);\n',
    ],
  },
};
