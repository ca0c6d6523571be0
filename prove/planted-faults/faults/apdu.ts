import type { Module } from '../fault.js';

/**
 * How bytes become commands, and the exports: docs/APDU.md#commands, docs/APDU.md#refusal-order,
 * docs/APDU.md#exports.
 */
export const apdu: Module = {
  name: 'apdu',
  directory: 'firmware/assembly',
  tests: ['firmware/commands'],
  faults: [
    {
      name: 'takes commands during a review',
      file: 'apdu/dispatch.ts',
      find: '  if (isReviewing()) return reply(BUSY);\n',
      replace: '',
    },
    {
      name: 'answers BUSY and drops the review',
      file: 'index.ts',
      find: '  const replied = dispatch(length);\n',
      replace:
        '  const busy = isReviewing();\n  const replied = dispatch(length);\n  if (busy) closeReview();\n',
    },
    {
      name: 'keeps an upload over another command',
      file: 'apdu/dispatch.ts',
      find: '  if (!isRead || command.p1 !== P1_DATA || command.ins !== upload.ins) clearCommand();\n',
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
      file: 'handlers/command.ts',
      find: ' || <i32>load<u8>(buffer, 4) !== length - APDU_HEADER_LENGTH',
      replace: '',
    },
    {
      name: 'takes any class',
      file: 'handlers/command.ts',
      find: '    if (this.cla !== cla) return false;\n',
      replace: '',
    },
    {
      name: "takes our instructions in the ecosystem's class",
      file: 'handlers/command.ts',
      find: 'if (this.cla !== cla) return false;',
      replace: 'if (this.cla !== cla && this.cla !== 0xb0) return false;',
    },
    {
      name: 'takes any P2',
      file: 'handlers/command.ts',
      find: 'this.p1 > lastP1 || this.p2 !== 0',
      replace: 'this.p1 > lastP1',
    },
    {
      name: 'takes a P1 too many',
      file: 'handlers/command.ts',
      find: 'this.p1 > lastP1 ||',
      replace: 'this.p1 > lastP1 + 1 ||',
    },
    {
      name: 'signs on either decision',
      file: 'apdu/press.ts',
      find: '  if (decision === REJECTED) return reply(USER_REJECTED);\n  if (decision !== APPROVED || !position.confirmsApproval()) unreachable();\n',
      replace: '',
    },
    {
      name: 'writes past the bytes that were declared',
      file: 'transport/upload.ts',
      find: '    if (length > this.expected - this.received) return false;\n',
      replace: '',
    },
    {
      name: 'has a buffer too small for the largest upload',
      file: 'transport/upload.ts',
      find: 'const CAPACITY = MAX_TRANSACTION + MAX_LINKED;',
      replace: 'const CAPACITY = MAX_TRANSACTION;',
    },
    {
      name: 'continues an upload that it refused',
      file: 'handlers/receive.ts',
      find: '  upload.drop();\n',
      replace: '',
    },
    {
      name: 'takes a chunk without bytes',
      file: 'handlers/receive.ts',
      find: 'if (fits && command.length !== 0 && !upload.isComplete)',
      replace: 'if (fits && !upload.isComplete)',
    },
    {
      name: 'takes a chunk without a header',
      file: 'handlers/receive.ts',
      find: 'if (upload.ins === 0) return reply(BAD_STATE);',
      replace: '',
    },
    {
      name: 'waits for chunks after a header that it refused',
      file: 'handlers/sign-tx-header.ts',
      find: '  if (refused !== 0) return refused;\n  if (isLocked())',
      replace:
        '  if (refused !== 0) awaitChunks(command, session.transactionLength + session.linkedLength);\n  if (refused !== 0) return refused;\n  if (isLocked())',
      tests: ['firmware/screens'],
    },
    {
      name: 'keeps a review whose host went away',
      file: 'index.ts',
      find: '  if (isReviewing()) closeReview();\n  else clearCommand();\n',
      replace: '  if (!isReviewing()) clearCommand();\n',
    },
    {
      name: 'keeps an upload whose host went away',
      file: 'index.ts',
      find: '  else clearCommand();\n',
      replace: '',
    },
    {
      name: 'answers the last host to ask, not the one whose command was decided',
      file: 'apdu/report.ts',
      find: 'link.answer(link.pending, length);',
      replace: 'link.answer(link.channel, length);',
      tests: ['firmware/reports'],
    },
    {
      name: 'goes on with a state that changed between events',
      file: 'seal.ts',
      find: 'if (sumOf(state, STATE_SIZE) !== seal) unreachable();',
      replace: '',
      tests: ['firmware/faults'],
    },
    {
      name: 'keeps what a refused command brought',
      file: 'apdu/dispatch.ts',
      find: '  if (replied !== 0 && upload.ins === 0) clearCommand();\n',
      replace: '',
      tests: ['firmware/release'],
    },
    {
      name: 'takes a report of any channel',
      file: 'transport/link.ts',
      find: 'channelOf(report, from) !== this.channel || ',
      replace: '',
      tests: ['firmware/reports'],
    },
    {
      name: 'takes two links for one',
      file: 'transport/link.ts',
      find: '((from & MAX_LINK) << 16) | ',
      replace: '',
      tests: ['firmware/reports'],
    },
    {
      name: 'takes a report out of its order',
      file: 'transport/link.ts',
      find: 'if (sequence !== this.nextIn) {',
      replace: 'if (false) {',
      tests: ['firmware/reports'],
    },
    {
      name: 'writes a command past its buffer',
      file: 'transport/link.ts',
      find: 'if (this.received + count <= MAX_APDU) ',
      replace: '',
      tests: ['firmware/reports'],
    },
  ],
};
