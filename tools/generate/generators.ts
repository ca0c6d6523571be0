// Every generator of a file.
export { chainRemedies, emulatorRemedies, errorDocument, hostRemedies } from './error-table.js';
export { keystoreTexts } from './keystore-texts.js';
export { hostNetworks, networks } from './networks.js';
export { usbDescriptors } from './usb-descriptors.js';
