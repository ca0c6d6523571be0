import type { Module } from '../fault.js';

/** Faults in the keystore. */
export const keystore: Module = {
  name: 'keystore',
  guards: 'docs/KEYSTORE.md#with-a-vault',
  directory: 'firmware/keystore',
  tests: ['firmware/keystore/vault'],
  guardsBy: {
    'passphrase.ts': 'docs/KEYSTORE.md#passphrase',
    'new-seed.ts': 'docs/KEYSTORE.md#a-new-seed',
    'question.ts': 'docs/KEYSTORE.md#the-check',
    'restore.ts': 'docs/KEYSTORE.md#restore',
    'words.ts': 'docs/KEYSTORE.md#restore',
    'menu.ts': 'docs/KEYSTORE.md#while-a-seed-is-open',
    'index.ts': 'docs/KEYSTORE.md#platform',
  },
  testsBy: {
    'passphrase.ts': ['firmware/keystore/seeds'],
    'new-seed.ts': ['firmware/keystore/seeds', 'firmware/keystore/closing'],
    'question.ts': ['firmware/keystore/seeds'],
    'menu.ts': ['firmware/keystore/closing', 'firmware/keystore/vault', 'firmware/keystore/seeds'],
    'index.ts': ['firmware/keystore/closing', 'firmware/keystore/noise', 'firmware/keystore/vault'],
    'noise.ts': ['firmware/keystore/vault', 'firmware/keystore/noise'],
    'restore.ts': ['firmware/keystore/seeds'],
    'words.ts': ['firmware/keystore/seeds'],
  },
  faults: {
    'noise.ts': {
      'tests only the first half of the noise': [' && isInProportion(raw + WINDOW)', ''],
      'accepts a byte that is stuck': ['isNotStuck() && ', ''],
      'accepts noise that holds less than its maker claims': ['25, 18, 13]', '25, 18, 14]'],
      'makes a PIN from half of the noise': [
        'sha512(noiseKey, raw, RAW_LENGTH);',
        'sha512(noiseKey, raw, RAW_LENGTH / 2);',
      ],
      'does not test the noise of a PIN or a seed': ['return passesTests() ? DONE : 0;', 'return DONE;'],
      'waits for ever for a source that does not answer': [
        'return state.waits < MOST_WAITS ? NOT_YET : 0;',
        'return NOT_YET;',
      ],
      'derives bytes without the digest of the noise': [
        'sha512(noiseKey, raw, RAW_LENGTH);',
        'memory.copy(noiseKey, raw, NOISE_KEY_LENGTH);',
      ],
      'derives the same order for each digit': [
        'store<u8>(derived, counter, 1);',
        'store<u8>(derived, 0, 1);',
      ],
    },
    'pin.ts': {
      'stores a PIN that the user mistyped in its last digit': [
        '(let i = 0; i < PIN_LENGTH; i++) difference |=',
        '(let i = 0; i < PIN_LENGTH - 1; i++) difference |=',
      ],
      'gives a thief eleven tries': ['MAX_ATTEMPTS: u32 = 10', 'MAX_ATTEMPTS: u32 = 11'],
      'prefers some orders of digits': ['const bound = 256 - (256 % (last + 1));', 'const bound = 256;'],
    },
    'restore.ts': {
      'offers last words that no wallet accepts': [
        'return isLast() ? lastWord(place) : place;',
        'return place;',
      ],
      'tells by the number of presses which word it is': [
        'if (state.count === 12) return 5;',
        'if (state.count === 12) return state.size === 1 ? 0 : 5;',
      ],
      'drops the words after a corrected one': ['state.word < state.entered &&', 'false &&'],
      'keeps a last word that no longer fits': [' && (!isLast() || fitsLastWord(wordAt(state.word)))', ''],
    },
    'words.ts': {
      'asks for each last word again': [
        'return lastWord(word >> (state.count / 3)) === word;',
        'return false;',
      ],
    },
    'index.ts': {
      'keeps a seed open all day': ['const IDLE_LIMIT = 1800;', 'const IDLE_LIMIT = 18000;'],
      'takes presses during a computation': [' || state.task !== TASK_NONE', ''],
      'starts with a source of noise that claims nothing': [
        '(claim === 0 || claim > MAX_CLAIM)',
        '(claim > MAX_CLAIM)',
      ],
      'starts with a vault whose PIN nothing shuffles': [
        '  if (board.hasVault && !board.hasNoise) unreachable();\n',
        '',
      ],
      'takes a vault that failed for an empty one after half an hour': ' || state.page === VAULT_FAILED',
      'does not read the vault again after an interrupted call': '  if (readsAgain) beginTask(TASK_START);\n',
    },
    'vault.ts': {
      'gives any number of tries on a chip that does not count': [
        'count !== state.attempts + 1 || count > MAX_ATTEMPTS',
        'count > MAX_ATTEMPTS',
      ],
      'stores a seed that any PIN opens on a chip that stretches nothing': [
        '  if (any === 0) failVault();\n',
        '',
      ],
      'tries a PIN that it has not counted': [
        'passes(vault_begin_attempt());\n  else if (step === COUNT_AGAIN)',
        'passes(vault_read(stored));\n  else if (step === COUNT_AGAIN)',
      ],
      'keeps a seed after the tenth wrong PIN': [
        'state.attempts >= MAX_ATTEMPTS',
        'state.attempts > MAX_ATTEMPTS',
      ],
      'asks for a PIN although ten wrong ones were tried': [' && takeCount() < MAX_ATTEMPTS', ''],
      'opens a record whose form it does not know': [' && load<u8>(stored) === VERSION', ''],
      'compares half of the tag of a record': [
        '(let i = 0; i < TAG; i += 8)',
        '(let i = 0; i < TAG / 2; i += 8)',
      ],
      'leaves the key of a record in memory after a wrong PIN': [
        '    wipe(vaultKey, KEY);\n    if (state.attempts',
        '    if (state.attempts',
      ],
      'stores entropy that anybody can read': ['load<u8>(mac + 1 + i) ^ plain', 'plain'],
      'leaves a seed that the user forgot in the vault': [
        '  if (!passes(vault_erase())) return;\n  board.hasRecord = false;\n  closeAll();',
        '  board.hasRecord = false;\n  closeAll();',
      ],
      'derives the salt like an order': ['FOR_SALT: u8 = 2', 'FOR_SALT: u8 = 1'],
      'takes a record of another version for no record': [
        'holdsAny(stored, RECORD_LENGTH)',
        'load<u8>(stored) === VERSION',
      ],
      'replaces a record without the proof of the old PIN': [
        'vault_write(stored, oldProof,',
        'vault_write(stored, newProof,',
      ],
      'stores a record with the proof of the old PIN': ['oldProof, newProof));', 'oldProof, oldProof));'],
    },
    'passphrase.ts': {
      'enters ~ for a bracket of a passphrase': [
        'if (rest < 29) return 0x5b + rest - 23;',
        'if (rest < 28) return 0x5b + rest - 23;',
      ],
      'enters another sign than the one that it shows for one of 95 characters': [
        'store<u8>(passphrase + state.length, character);',
        'store<u8>(passphrase + state.length, character === 0x5d ? 0x5b : character);',
      ],
      'opens the seed without the last character of the passphrase': [
        'memory.copy(salt + SALT_TAG_LENGTH, passphrase, state.length);\n  beginPbkdf2(stretch, mnemonic, length, salt, SALT_TAG_LENGTH + state.length);',
        'const used = state.length === MAX_PASSPHRASE ? state.length - 1 : state.length;\n  memory.copy(salt + SALT_TAG_LENGTH, passphrase, used);\n  beginPbkdf2(stretch, mnemonic, length, salt, SALT_TAG_LENGTH + used);',
      ],
      'opens another wallet with the rest of an earlier passphrase': [
        '  wipe(passphrase, MAX_PASSPHRASE);\n  state.length = 0;\n',
        '',
      ],
    },
    'new-seed.ts': {
      'makes a seed that only the device knows to be random': [
        '  sha256Update(record, state.events);\n',
        '  sha256Update(record, min(state.events, 50));\n',
      ],
      'makes the same seed from the same rolls on each device': [
        '  if (board.hasNoise) sha256Update(devicePart, PART_LENGTH);\n',
        '',
      ],
      'accepts rolls that repeat': [' || period() !== 0', ''],
      'accepts six rolls again and again': ['const LONGEST_PERIOD = 6;', 'const LONGEST_PERIOD = 5;'],
      'accepts a die that shows only six': ['face <= FACES', 'face < FACES'],
      'keeps the rolls that were not random': ['  wipe(record, MAX_RECORD);\n  state.events = 0;\n', ''],
      'keeps a roll that the user took back': ['  state.events -= 1;\n', ''],
      'records a 5 where the user rolled a 6': [
        '(button === RIGHT ? 1 : 0)',
        '(button === RIGHT && lowerFace() < 5 ? 1 : 0)',
      ],
      'leaves the rolls in memory while the words are shown': [
        '  wipe(record, MAX_RECORD);\n  state.word = 0;\n',
        '  state.word = 0;\n',
      ],
    },
    'question.ts': {
      'accepts a backup without its last word': [
        'go(state.word < state.count ? QUESTION : PASSPHRASE);',
        'if (state.word === state.count - 1) state.word += 1;\n  go(state.word < state.count ? QUESTION : PASSPHRASE);',
      ],
      'offers the right word at the same place each time': ['<i32>(load<u8>(drawn, 8) % CANDIDATES)', '0'],
      'goes on after a wrong word': [
        '    go(WRONG_WORD);\n    return;\n',
        '    state.word += 1;\n    asksNext();\n    return;\n',
      ],
    },
    'menu.ts': {
      'hands out the seed while its menu is on the screen': [
        'state.opened === OPEN && state.isBehind;',
        'state.opened === OPEN;',
      ],
      'keeps the seed that the user forgot': [
        '    closeAll();\n    if (board.hasVault)',
        '    go(EMPTY, MENU_TOP);\n    if (board.hasVault)',
      ],
      'opens a new seed without a PIN': [
        'if (board.hasVault && state.purpose !== UNLOCK) beginNewPin();',
        'if (board.hasVault && state.purpose === RESTORE) beginNewPin();',
      ],
      'keeps the seed before after another passphrase was asked for': [
        '    wipe(freshSeed, SEED);\n    go(PASSPHRASE);',
        '    go(PASSPHRASE);',
      ],
      'does not tell that display and buttons are at the other end of a wire': [
        '  if (board.isTest) put(texts.TEST_BOARD);\n',
        '',
      ],
      'calls any backup right': ['difference === 0 ? BACKUP_RIGHT', 'difference !== 1 ? BACKUP_RIGHT'],
    },
  },
};
