import type { Room } from '../fault.js';

/** How bytes become commands, and the exports: signer-protocol §1, §1.4 and §5. */
export const apdu: Room = {
  name: 'apdu',
  folder: 'firmware/assembly',
  tests: ['firmware/commands'],
  faults: [
    {
      name: 'takes commands during a review',
      file: 'apdu/dispatch.ts',
      find: '  if (session.reviewing !== 0) return reply(BUSY);\n',
      replace: '',
    },
    {
      name: 'answers BUSY and drops the review',
      file: 'apdu/dispatch.ts',
      find: 'if (session.reviewing !== 0) return reply(BUSY);',
      replace: 'if (session.reviewing !== 0) {\n    session.reviewing = 0;\n    return reply(BUSY);\n  }',
    },
    {
      name: 'keeps an upload over another command',
      file: 'apdu/dispatch.ts',
      find: '  if (status !== OK || command.p1 !== P1_DATA || command.ins !== upload.ins) upload.drop();\n',
      replace: '',
    },
    {
      name: 'takes the chunks of one command for another',
      file: 'apdu/dispatch.ts',
      find: ' || command.ins !== upload.ins',
      replace: '',
    },
    {
      name: 'takes any Lc',
      file: 'apdu/command.ts',
      find: ' || <i32>load<u8>(buffer, 4) !== length - APDU_HEADER',
      replace: '',
    },
    {
      name: 'takes any class',
      file: 'apdu/command.ts',
      find: 'if (cla !== CLA_SIGNER && cla !== CLA_ECOSYSTEM) return CLA_NOT_SUPPORTED;',
      replace: '',
    },
    {
      name: "takes our instructions in the ecosystem's class",
      file: 'apdu/command.ts',
      find: 'if ((cla === CLA_ECOSYSTEM) !== (command.ins === INS_GET_APP_NAME)) return INS_NOT_SUPPORTED;',
      replace: '',
    },
    {
      name: 'takes any P2',
      file: 'apdu/command.ts',
      find: 'command.p1 > last || p2 !== 0',
      replace: 'command.p1 > last',
    },
    {
      name: 'takes a P1 too many',
      file: 'apdu/command.ts',
      find: 'command.p1 > last ||',
      replace: 'command.p1 > last + 1 ||',
    },
    {
      name: 'writes past the bytes that were declared',
      file: 'apdu/upload.ts',
      find: '    if (length > this.expected - this.received) return false;\n',
      replace: '',
    },
    {
      name: 'has no room for the largest upload',
      file: 'apdu/upload.ts',
      find: 'const CAPACITY = MAX_TRANSACTION + MAX_LINKED;',
      replace: 'const CAPACITY = MAX_TRANSACTION;',
    },
    {
      name: 'continues an upload that it refused',
      file: 'apdu/receive.ts',
      find: '  upload.drop();\n',
      replace: '',
    },
    {
      name: 'takes a chunk without bytes',
      file: 'apdu/receive.ts',
      find: 'if (fits && command.length !== 0 && !upload.isComplete)',
      replace: 'if (fits && !upload.isComplete)',
    },
    {
      name: 'takes a chunk without a header',
      file: 'apdu/receive.ts',
      find: 'if (upload.ins === 0) return reply(BAD_STATE);',
      replace: '',
    },
    {
      name: 'waits for chunks after a header that it refused',
      file: 'apdu/receive.ts',
      find: '  session.declaredLength = 0;\n',
      replace: '',
    },
    {
      name: 'keeps a review whose host went away',
      file: 'index.ts',
      find: '  if (session.reviewing !== 0) closeReview();\n',
      replace: '',
    },
    {
      name: 'keeps an upload whose host went away',
      file: 'index.ts',
      find: '  upload.drop();\n',
      replace: '',
    },
  ],
};
