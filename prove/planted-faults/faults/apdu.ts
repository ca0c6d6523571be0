import type { Module } from '../fault.js';

/** Faults in reading commands and in the exports. */
export const apdu: Module = {
  name: 'apdu',
  guards: 'docs/THREATS.md#guarantees',
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
        '    if (!isRead || !command.isPart(upload.ins, next)) clearCommand();\n',
      'accepts a chunk of one host for the upload of another': [
        'from !== link.owner',
        'false',
        'firmware/reports',
        'emulator/device/exchange',
      ],
      'gives no upload to the host that took over': ['    link.owner = from;\n', '', 'firmware/reports'],
      'drops an upload when another host sends a broken command': [
        '!(isRead && takesOver(command))',
        'isRead && !takesOver(command)',
        'firmware/reports',
      ],
      'keeps the data of a refused command': [
        '  if (replied !== 0 && upload.ins === 0) clearCommand();\n',
        '',
        'firmware/approval',
      ],
    },
    'index.ts': {
      'answers BUSY and drops the review': [
        '  const replied = dispatch(length, NO_CHANNEL);\n',
        '  const busy = isReviewing();\n  const replied = dispatch(length, NO_CHANNEL);\n  if (busy) closeReview();\n',
      ],
      'keeps a review whose host went away': [' (isReviewing()) closeReview();\n  else', ' (!isReviewing())'],
      'keeps an upload whose host went away': '  else clearCommand();\n',
    },
    'apdu/commands.ts': {
      'drops an upload when another host asks for a key': [
        'return command.p1 === P1_CONFIRM',
        'return true',
        'firmware/reports',
      ],
      'lets no other host begin an upload': [
        'command.ins === INS_SIGN_MESSAGE) return command.p1 === P1_HEADER',
        'command.ins === INS_SIGN_MESSAGE) return false',
        'firmware/reports',
      ],
    },
    'handlers/get-public-key.ts': {
      'signs with the account whose key another host asked for': [
        '  if (command.p1 !== P1_CONFIRM) return',
        '  session.account = index;\n  if (command.p1 !== P1_CONFIRM) return',
        'firmware/reports',
      ],
    },
    'handlers/command.ts': {
      'accepts chunks of one command for the upload of another': ' && this.ins === ins',
      'accepts any Lc': ' || <i32>load<u8>(buffer, 4) !== length - APDU_HEADER_LENGTH',
      'accepts any class': '    if (this.cla !== cla) return false;\n',
      "accepts this app's instructions in the ecosystem's class": [
        'if (this.cla !== cla) return false;',
        'if (this.cla !== cla && this.cla !== 0xb0) return false;',
      ],
      'accepts any P2': ['return (this.p2 & ~options) === 0;', 'return true;'],
      'accepts one P1 too many': ['this.p1 <= lastP1 &&', 'this.p1 <= lastP1 + 1 &&'],
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
      'accepts a chunk without a header': 'if (command.isAside || upload.ins === 0) return reply(BAD_STATE);',
    },
    'handlers/sign-tx-header.ts': {
      'waits for chunks after a header that it refused': [
        '  if (refused !== 0) return refused;\n  if (isLocked())',
        '  if (refused !== 0) awaitChunks(command, session.transactionLength + session.linkedLength);\n  if (refused !== 0) return refused;\n  if (isLocked())',
      ],
    },
    'apdu/report.ts': {
      'answers the host that asked last, not the host whose command was decided': [
        'answer(link.pending,',
        'answer(link.replyChannel,',
      ],
      'drops an unfinished command at a decision': ['  link.replyLength = 0;\n', '  link.clear();\n'],
    },
    'seal.ts': {
      'goes on with a state that changed between events':
        'if (sumOf(state, STATE_SIZE) !== seal) unreachable();',
    },
    'transport/link.ts': {
      'accepts a report of any channel': [
        'const isKnown = incoming.channel === channel;',
        'const isKnown = true;',
      ],
      'never answers a command that lacks a report': ['      return NOT_WHOLE;', '      return UNFINISHED;'],
      'answers a broken command once for each report':
        '      if (isKnown || !wasUnfinished) incoming.begin(channel, 0);\n',
      'keeps the bytes of two commands in one place': ['(this.latest & 1) * INCOMING_BYTES', '0'],
      'stores an overlong command over that of another host': [
        '<u32>received <= LAST_PART_AT',
        '<u32>received <= LAST_PART_AT + REPORT_LENGTH',
      ],
      'copies more bytes than a report has over the command of another host': [
        'report + at, REPORT_LENGTH - at)',
        'report + at, REPORT_LENGTH + 16 - at)',
      ],
      'clears the first byte of the command of another host with a reply': [
        'memory.fill(report, 0, REPORT_LENGTH);',
        'memory.fill(report, 0, REPORT_LENGTH + 1);',
      ],
      'drops an unfinished command although there is room': [
        '    if (other.channel !== channel && other.isUnfinished && !last.isUnfinished) return last;\n',
        '',
      ],
      'treats two links as one': '((from & MAX_LINK) << 16) | ',
      'accepts a report out of order': ' || sequence !== incoming.next',
      'writes a command past its buffer': 'if (<u32>received <= LAST_PART_AT) ',
    },
  },
};
