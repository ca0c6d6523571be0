import type { Fault } from '../boards/fault.js';

const update = 'loader/update.c';
const image = 'loader/image.c';
const counter = 'loader/counter.c';

/** Defects of the loader; a cut, or a start after one, has to come to something that must not be. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'raises the counter before the image is verified',
    file: update,
    find: '  bool is_installed = image_read(&installed, installed_slot, minimum);\n',
    replace:
      '  bool is_installed = image_read(&installed, installed_slot, minimum);\n' +
      '  const uint8_t *at = flash_read(staged_slot); uint32_t size, next;\n' +
      '  memcpy(&size, at + 12, 4);\n' +
      '  if (size < SLOT_BYTES - 1000) { memcpy(&next, at + 256 + size + 8, 4);\n' +
      '  if (next > minimum && next < 1000) counter_raise(next); }\n',
  },
  {
    name: 'erases the staged image before the installed one is whole',
    file: update,
    find: '    install(staged.length);\n',
    replace: '    install(staged.length - 300);\n    flash_erase(staged_slot);\n    install(0);\n',
  },
  {
    name: 'empties the staged slot while it copies',
    file: update,
    find: '    flash_program(installed_slot + at, page);\n',
    replace:
      '    flash_program(installed_slot + at, page);\n' +
      '    if (at % SECTOR_BYTES == SECTOR_BYTES - FLASH_PAGE_BYTES) flash_erase(staged_slot + at - at % SECTOR_BYTES);\n',
  },
  {
    name: 'does not verify what it has installed',
    file: update,
    find: '    is_installed = image_read(&installed, installed_slot, minimum);\n',
    replace:
      '    installed = staged;\n    is_installed = true;\n    if (staged.length > 4300) flash_erase(installed_slot + 4096);\n',
  },
  {
    name: 'does not erase before it writes',
    file: update,
    find: '    if (at % SECTOR_BYTES == 0) flash_erase(installed_slot + at);\n',
    replace: '',
  },
  {
    name: 'leaves out the last page',
    file: update,
    find: 'at < length; at += FLASH_PAGE_BYTES',
    replace: 'at + FLASH_PAGE_BYTES < length; at += FLASH_PAGE_BYTES',
  },
  {
    name: 'starts a torn image when its header is whole',
    file: update,
    find: '  if (!is_installed) stay();\n',
    replace:
      '  if (flash_read(installed_slot)[0] == 0x3D) start_installed();\n  if (!is_installed) stay();\n',
  },
  {
    name: 'installs whatever is staged',
    file: update,
    find: '(!is_installed || image_is_newer(&staged, &installed))',
    replace: 'staged.length',
  },
  {
    name: 'does not install where nothing is installed',
    file: update,
    find: '(!is_installed || image_is_newer(&staged, &installed))',
    replace: 'is_installed && image_is_newer(&staged, &installed)',
  },
  {
    name: 'never raises the counter',
    file: update,
    find: '  if (installed.counter > minimum) counter_raise(installed.counter);\n',
    replace: '',
  },
  {
    name: 'raises the counter at every start',
    file: update,
    find: 'if (installed.counter > minimum) counter_raise',
    replace: 'counter_raise',
  },
  {
    name: 'leaves what was staged',
    file: update,
    find: '  if (!is_staged_empty()) flash_erase(staged_slot);\n',
    replace: '  flash_erase(staged_slot);\n',
  },
  {
    name: 'does not look at the signature',
    file: image,
    find: '      return signature_is_right(digest, rest->signature, loader_keys[i].key);\n',
    replace: '      return true;\n',
  },
  {
    name: 'takes any key',
    file: image,
    find: '  return false;\n}\n\nbool image_read',
    replace: '  return true;\n}\n\nbool image_read',
  },
  {
    name: 'verifies the digest that the image names',
    file: image,
    find: 'memcmp(digest, rest->digest, DIGEST_BYTES) != 0 || !is_signed(digest, rest)',
    replace: '!is_signed(rest->digest, rest)',
  },
  {
    name: 'leaves the protected tags out of the digest',
    file: image,
    find: '  digest_of(digest, start, HEADER_BYTES + payload_bytes + sizeof *covered);\n',
    replace: '  digest_of(digest, start, HEADER_BYTES + payload_bytes);\n',
  },
  {
    name: 'does not compare the counter',
    file: image,
    find: ' || covered->counter < minimum) return false;',
    replace: ') return false;',
  },
  {
    name: 'takes an older counter by one',
    file: image,
    find: 'covered->counter < minimum',
    replace: 'covered->counter + 1 < minimum',
  },
  {
    name: 'starts what is linked for another place',
    file: image,
    find: '  if (!vectors_fit((const void *)(start + HEADER_BYTES), payload_bytes)) return false;\n',
    replace: '',
  },
  {
    name: 'compares versions before counters',
    file: image,
    find: '  if (image->counter != than->counter) return image->counter > than->counter;\n',
    replace: '  if (image->revision != than->revision) return image->revision > than->revision;\n',
  },
  {
    name: 'takes a counter that was cut short',
    file: counter,
    find: '         record->crc == crc32((const uint8_t *)record, offsetof(record_t, crc));',
    replace: '         record->crc != 0;',
  },
  {
    name: 'takes the counter that was written last',
    file: counter,
    find: '    if (is_whole(record) && record->counter > largest) largest = record->counter;\n',
    replace:
      '    if (is_whole(record)) largest = record->counter;\n    else if (!is_erased((const uint8_t *)record)) largest = 0;\n',
  },
  {
    name: 'erases the sector of the largest counter',
    file: counter,
    find: '  flash_erase(counter_sectors[!sector]);\n',
    replace: '  flash_erase(counter_sectors[sector]);\n  flash_erase(counter_sectors[!sector]);\n',
  },
  {
    name: 'writes over a record that was cut short',
    file: counter,
    find: '    if (!is_erased((const uint8_t *)record_at(sector, i))) continue;',
    replace: '    if (is_whole(record_at(sector, i))) continue;',
  },
  {
    name: 'begins a sector of counters without an erase',
    file: counter,
    find: '  flash_erase(counter_sectors[!sector]);\n',
    replace: '',
  },
  {
    name: 'reads the first sector of counters alone',
    file: counter,
    find: '  return first > second ? first : second;',
    replace: '  return (void)second, first;',
  },
  {
    name: 'keeps its counters where the seed is',
    file: counter,
    find: '  flash_program(counter_sectors[sector] + index * FLASH_PAGE_BYTES, page);\n',
    replace:
      '  flash_program(counter_sectors[sector] + 2 * SECTOR_BYTES + index * FLASH_PAGE_BYTES, page);\n',
  },
];
