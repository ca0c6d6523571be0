// Every generator of a file.
export { curveTables } from './curve-tables.js';
export { chainRemedies, emulatorRemedies, errorDocument, hostRemedies } from './error-table.js';
export { fieldArithmetic } from './field-arithmetic.js';
export { font } from './font.js';
export { keccakPermutation } from './keccak-permutation.js';
export { keystoreTexts } from './keystore-texts.js';
export { hostNetworks, networks } from './networks.js';
export { screens } from './screens.js';
export { sha512Rounds } from './sha512-rounds.js';
export { usbDescriptors } from './usb-descriptors.js';
export { wordList } from './word-list.js';
