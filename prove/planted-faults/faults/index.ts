// Every fault, by module.
export * from './apdu.js';
export * from './chain.js';
export * from './cli.js';
export * from './crypto.js';
export * from './devnet.js';
export * from './emulator.js';
export * from './flow.js';
export * from './gateway.js';
export * from './handlers.js';
export * from './host.js';
export * from './image.js';
export * from './keystore.js';
export * from './review.js';
export * from './screen.js';
export * from './tools.js';
export * from './transaction.js';
export * from './web.js';
