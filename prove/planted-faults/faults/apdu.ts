import type { Module } from '../fault.js';

/** Faults in reading commands and in the exports. */
export const apdu: Module = {
  name: 'apdu',
  guards: 'docs/SECURITY.md#guarantees',
  guardsBy: {
    'handlers/command.ts': 'docs/SPECIFICATION.md#refusals',
    'transport/upload.ts': 'docs/APDU.md#upload-rules',
    'handlers/receive.ts': 'docs/APDU.md#upload-rules',
    'handlers/sign-tx-header.ts': 'docs/APDU.md#upload-rules',
    'transport/link.ts': 'docs/APDU.md#hid',
  },
  directory: 'firmware/assembly',
  tests: ['firmware/commands'],
  testsBy: {
    'handlers/sign-tx-header.ts': ['firmware/screens'],
    'apdu/report.ts': ['firmware/reports'],
    'seal.ts': ['firmware/faults'],
    'transport/link.ts': ['firmware/reports'],
  },
  faults: {
    'apdu/dispatch.ts': {
      'accepts commands during a review': '  if (isReviewing()) return reply(BUSY);\n',
      'keeps an upload during another command':
        '  if (!isRead || command.p1 !== P1_DATA || command.ins !== upload.ins) clearCommand();\n',
      'accepts chunks of one command for the upload of another': ' || command.ins !== upload.ins',
      'keeps the data of a refused command': [
        '  if (replied !== 0 && upload.ins === 0) clearCommand();\n',
        '',
        'firmware/release',
      ],
    },
    'index.ts': {
      'answers BUSY and drops the review': [
        '  const replied = dispatch(length);\n',
        '  const busy = isReviewing();\n  const replied = dispatch(length);\n  if (busy) closeReview();\n',
      ],
      'keeps a review whose host went away': [' (isReviewing()) closeReview();\n  else', ' (!isReviewing())'],
      'keeps an upload whose host went away': '  else clearCommand();\n',
    },
    'handlers/command.ts': {
      'accepts any Lc': ' || <i32>load<u8>(buffer, 4) !== length - APDU_HEADER_LENGTH',
      'accepts any class': '    if (this.cla !== cla) return false;\n',
      "accepts this app's instructions in the ecosystem's class": [
        'if (this.cla !== cla) return false;',
        'if (this.cla !== cla && this.cla !== 0xb0) return false;',
      ],
      'accepts any P2': ['this.p1 > lastP1 || this.p2 !== 0', 'this.p1 > lastP1'],
      'accepts one P1 too many': ['this.p1 > lastP1 ||', 'this.p1 > lastP1 + 1 ||'],
    },
    'apdu/press.ts': {
      'signs on either decision':
        '  if (decision === REJECTED) return reply(USER_REJECTED);\n  if (decision !== APPROVED || !position.confirmsApproval()) unreachable();\n',
    },
    'transport/upload.ts': {
      'writes past the bytes that were declared':
        '    if (length > this.expected - this.received) return false;\n',
      'has a buffer too small for the largest upload': ['MAX_TRANSACTION + MAX_LINKED;', 'MAX_TRANSACTION;'],
    },
    'handlers/receive.ts': {
      'continues an upload that it refused': '  upload.drop();\n',
      'accepts a chunk without bytes': ['command.length !== 0 && !upload.isComplete', '!upload.isComplete'],
      'accepts a chunk without a header': 'if (upload.ins === 0) return reply(BAD_STATE);',
    },
    'handlers/sign-tx-header.ts': {
      'waits for chunks after a header that it refused': [
        '  if (refused !== 0) return refused;\n  if (isLocked())',
        '  if (refused !== 0) awaitChunks(command, session.transactionLength + session.linkedLength);\n  if (refused !== 0) return refused;\n  if (isLocked())',
      ],
    },
    'apdu/report.ts': {
      'answers the host that asked last, not the host whose command was decided': ['pending,', 'channel,'],
    },
    'seal.ts': {
      'goes on with a state that changed between events':
        'if (sumOf(state, STATE_SIZE) !== seal) unreachable();',
    },
    'transport/link.ts': {
      'accepts a report of any channel': 'channelOf(report, from) !== this.channel || ',
      'treats two links as one': '((from & MAX_LINK) << 16) | ',
      'accepts a report out of order': ['if (sequence !== this.nextIn) {', 'if (false) {'],
      'writes a command past its buffer': 'if (this.received + count <= MAX_APDU) ',
    },
  },
};
