import { curveTables } from './curve-tables.js';
import { emulatorRemedies, errorDocument, errorExits, errorRemedies } from './error-table.js';
import { fieldArithmetic } from './field-arithmetic.js';
import { font } from './font.js';
import type { Generator } from './generator.js';
import { keccakPermutation } from './keccak-permutation.js';
import { keystoreTexts } from './keystore-texts.js';
import { hostNetworks, networks } from './networks.js';
import { picoWiring } from './pico-wiring.js';
import { screens } from './screens.js';
import { sha512Rounds } from './sha512-rounds.js';
import { usbDescriptors } from './usb-descriptors.js';
import { walletMessages } from './wallet-messages.js';
import { wordList } from './word-list.js';

export const generators: Generator[] = [
  curveTables,
  emulatorRemedies,
  errorDocument,
  errorExits,
  errorRemedies,
  fieldArithmetic,
  font,
  hostNetworks,
  keccakPermutation,
  keystoreTexts,
  networks,
  picoWiring,
  screens,
  sha512Rounds,
  usbDescriptors,
  walletMessages,
  wordList,
];
