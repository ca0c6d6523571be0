import type { Module } from '../fault.js';

/** Faults in the host library's checks of a device's answers, and in its transports. */
export const host: Module = {
  name: 'host',
  guards: 'docs/APDU.md#commands',
  guardsBy: {
    'device/signed-transaction.ts': 'docs/APDU.md#sign_tx',
    'device/signer.ts': 'docs/APDU.md#sign_message',
    'device/upload-header.ts': 'docs/APDU.md#sign_tx',
    'device/replies.ts': 'docs/APDU.md#get_app_version',
    'device/connection.ts': 'docs/APDU.md#upload-rules',
    'device/status-errors.ts': 'docs/APDU.md#status-words',
    'device/transport/report-framing.ts': 'docs/APDU.md#hid',
    'device/transport/report-channels.ts': 'docs/APDU.md#hid',
    'device/transport/report-link.ts': 'docs/APDU.md#hid',
    'device/transport/usb/device-selection.ts': 'docs/WALLET.md#several-devices',
    'device/transport/usb/hid-device.ts': 'docs/APDU.md#hid',
    'device/transport/report-transport.ts': 'docs/APDU.md#hid',
    'device/transport/serial/tcp.ts': 'docs/APDU.md#tcp',
    'device/transport/serial/uart-packets.ts': 'docs/APDU.md#uart',
    'device/transport/serial/uart-line.ts': 'docs/APDU.md#uart',
    'device/transport/usb/usbip.ts': 'docs/CLI.md#devices',
    'device/transport/http.ts': 'docs/APDU.md#http',
    'device/contact.ts': 'docs/APDU.md#contacts-in-sign_tx',
    'device/committed-nonce.ts': 'docs/WALLET.md#signatures-without-hidden-data',
    'device/committed-signing.ts': 'docs/THREATS.md#hidden-data-in-signatures',
    'device/signing-record.ts': 'docs/THREATS.md#hidden-data-in-signatures',
    'device/expected-review.ts': 'docs/APDU.md#contacts-in-sign_tx',
    'contacts/contact-book.ts': 'docs/WALLET.md#pay-to-a-contact',
    'networks.ts': 'docs/TRANSACTION.md#review-items',
    'gateway/http.ts': 'docs/ERRORS.md#errors',
    'gateway/records/block.ts': 'docs/WALLET.md#movements-of-an-account',
    'history/account-movements.ts': 'docs/WALLET.md#movements-of-an-account',
    'history/block-span.ts': 'docs/WALLET.md#movements-of-an-account',
    'history/csv.ts': 'docs/WALLET.md#movements-of-an-account',
    'history/history.ts': 'docs/WALLET.md#movements-of-an-account',
    'history/watch.ts': 'docs/WALLET.md#incoming-payments',
    'flow/chain/witnesses.ts': 'docs/WALLET.md#who-vouches-for-each-datum',
    'flow/flow-step.ts': 'docs/WALLET.md#events-states-and-times',
    'device/session/event-feed.ts': 'docs/WALLET.md#events-states-and-times',
    'software-signer.ts': 'docs/TRANSACTION.md#signer-rules',
    'signs for another sender': 'docs/APDU.md#sign_tx',
    'shows an address that does not belong to the key': 'docs/APDU.md#get_public_key',
    'treats every status word as success': 'docs/APDU.md#status-words',
  },
  directory: 'host/src',
  tests: ['host/device/signer', 'host/device/lying-device'],
  testsBy: {
    'device/committed-nonce.ts': ['host/device/anti-exfil'],
    'device/committed-signing.ts': ['host/device/anti-exfil'],
    'device/signing-record.ts': ['host/device/anti-exfil'],
    'device/transport/report-channels.ts': ['host/device/transport/usb/hid'],
    'device/transport/report-link.ts': ['host/device/transport/faults'],
    'device/transport/usb/hid-device.ts': ['host/device/transport/usb/hid'],
    'device/transport/report-transport.ts': ['host/device/transport/usb/hid'],
    'device/transport/serial/uart-line.ts': ['host/device/transport/serial/uart'],
    'device/contact.ts': ['host/contacts'],
    'device/expected-review.ts': ['host/contacts'],
    'contacts/contact-book.ts': ['host/contacts'],
    'networks.ts': ['host/device/expected-review'],
    'gateway/http.ts': ['host/gateway/client'],
    'gateway/records/block.ts': ['host/history/account-movements'],
    'history/block-span.ts': ['host/history/account-movements'],
    'history/csv.ts': ['host/history/account-movements'],
    'history/history.ts': ['host/history/history'],
    'history/watch.ts': ['host/history/watch'],
    'flow/chain/witnesses.ts': ['host/history/history', 'host/history/watch'],
  },
  faults: {
    'device/committed-nonce.ts': {
      'reveals its random bytes for a point that can carry hidden data': [
        "    if (!isNoncePoint(noncePoint)) throw this.#error('NONCE_INVALID', noncePoint);\n",
        '',
      ],
      'lets a device draw a second nonce for the same bytes': [
        'if (before !== undefined && toHex(before) !== toHex(noncePoint))',
        'if (before !== undefined && before.length !== noncePoint.length)',
      ],
      'contributes other random bytes to the same payment': ['remembered.get(key) ?? ', ''],
      'contributes the same random bytes to every message': [
        'const key = `${toHex(publicKey)} ${toHex(message)}`;',
        'const key = `${toHex(publicKey)} ${message.length}`;',
      ],
      'accepts a signature with another nonce': [
        'noncePoint === undefined || !hasNonce(signature, noncePoint, this.#randomBytes)',
        'noncePoint === undefined',
      ],
      'writes the nonce of a dishonest device into the message of the error': [
        'super(code, MESSAGES[code]);',
        'super(code, MESSAGES[code] + evidence.nonce_point);',
      ],
      'shows a fault where there is none': [
        'NONCE_INVALID: () => !isNoncePoint(noncePoint),',
        'NONCE_INVALID: () => true,',
      ],
    },
    'device/committed-signing.ts': {
      'counts a withheld signature only after the random bytes were sent': [
        'withheld = await record.noteRevealed(',
        'withheld = 1;\n      void record.noteRevealed(',
      ],
      'counts no signature that fails before the approval': ['await record.countWithheld(publicKey);', ''],
      'hides the evidence against a device behind an abort': ['onCaught();', ''],
      'forgets a device that it has caught': ['await record.noteCaught(publicKey);', ''],
      'lets a device choose by its refusals': [
        "const NO_CHOICE = ['ABORTED',",
        "const NO_CHOICE = ['LOCKED', 'BUSY', 'MALFORMED', 'ABORTED',",
      ],
      'counts the rejections of the user': ["'USER_REJECTED', ", ''],
      'hides the fault of a device behind a record that cannot be written': [
        '    } catch {\n      // What',
        '    } catch (fault) {\n      throw fault;\n      // What',
      ],
      'counts an honest device after a moment without room': [
        '  nonce.countedBy = undefined;\n  return withheld;',
        '  return withheld;',
      ],
      'gives a transaction that was signed with a commitment a second hash': [
        '    if (digest) await record.notePlain(publicKey, digest);\n',
        '',
      ],
      'signs a transaction of an earlier run a second time': ['    refuseSigned(digest, signed);\n', ''],
      'gives a transaction that was signed without a commitment a second hash': [
        '    refuseSigned(digest, plain);\n',
        '',
      ],
      'lets a device that had the check talk its way out': [
        "    if (isRequired) throw unsignedError('DEVICE_UNTRUSTED', 'answered differently before');\n",
        '',
      ],
      'signs without the check although it is required': [
        "    if (options.antiExfil !== 'prefer') throw error;\n",
        '',
      ],
    },
    'device/signing-record.ts': {
      'believes a device that cheated that it lacks the check': [
        '        isRequired: true,\n        withheld: isCounted',
        '        withheld: isCounted',
      ],
      'signs on with a device that withheld eight signatures': [
        'withheld >= WITHHELD_LIMIT',
        'withheld > WITHHELD_LIMIT + 1',
      ],
      'signs on with a device that it has caught': ['if (known.isCaught)', 'if (false)'],
      'takes a damaged record for an empty one': [
        'if (text === undefined) return new Map();',
        "if (text === undefined || text === '') return new Map();",
      ],
      'signs what another program signed during the review': [
        '      if (digest !== undefined && !isAgain) refuseSigned(digest, [...signed, ...plain]);\n',
        '',
      ],
      'grows until no signature is possible any more': [
        '    keys.set(key, { ...record, signed: [], plain: [] });\n',
        '',
      ],
      'counts the signatures of one device for another': [
        'keys.get(toHex(publicKey)) ?? UNKNOWN;\n      const after',
        '[...keys.values()][0] ?? UNKNOWN;\n      const after',
      ],
    },
    'device/contact.ts': {
      'sends the proof of another seed': ['contact?.signer.some(', 'contact?.signer.every('],
      'sends a name that was approved for another chain': [
        'contact.genesisHash.some(',
        'contact.genesisHash.every(',
      ],
      'sends the contact of another account': [
        '!sameAccount(contact.account, account)',
        'contact.account.kind !== account.kind',
      ],
      'pays without the name that a program misspelt': ['Object.keys(others).length > 0', 'false'],
      'takes a name for that of an address': ['/^zbc_/i', '/^zbc_/'],
      'takes a name with a space at its end': ["name.endsWith(' ')", 'false'],
    },
    'device/expected-review.ts': {
      'expects the name of the recipient for the approver': [
        "[['Approver contact', approver.name]]",
        "[['Recipient contact', approver.name]]",
      ],
      'expects no name': [
        "if (isRecipient && recipient !== undefined) return [['Recipient contact', recipient.name]];",
        '',
      ],
    },
    'contacts/contact-book.ts': {
      'overwrites a contact of the same account': [
        'if (replaced[0] !== undefined && !replaces)',
        'if (replaced[0] !== undefined && !replaces && replaced.length > 1)',
      ],
      'loses one of two contacts that are saved at the same time': [
        'return changeInTurn(this.store, async () => {',
        'return changeInTurn({ ...this.store }, async () => {',
      ],
      'imports a contact in place of another': [
        'if (found !== undefined) imported',
        'if (found?.name === contact.name) imported',
      ],
      'shows the contacts of another device': [
        'toHex(contact.signer) === toHex(this.#scope.signer)',
        'contact.signer.length === this.#scope.signer.length',
      ],
      'shows the contacts of another chain': [
        'toHex(contact.genesisHash) === toHex(this.#scope.genesisHash)',
        'contact.genesisHash.length === this.#scope.genesisHash.length',
      ],
      'loses the contacts of other devices': [
        'kept.filter(other => !replaced.includes(other))',
        'kept.filter(other => !replaced.includes(other) && this.holds(other))',
      ],
    },
    'gateway/http.ts': {
      'pays on the chain of whichever gateway answers': [
        'if (this.#chain !== genesis)',
        'if (this.#chain === undefined)',
        'host/gateway/fallback',
      ],
      'calls a broadcast sent that no gateway got': [
        'error.mayHaveLeft = false;',
        '',
        'host/gateway/fallback',
      ],
      'sends a payment to a second gateway and forgets that the first may have it': [
        '      () => false,\n',
        '      isPassing,\n',
        'host/gateway/fallback',
      ],
      'waits for a gateway that does not answer before each request': [
        'if (!isOver && this.#at === at) this.#at = (at + 1)',
        'if (!isOver && this.#at === at) this.#at = (at + 0)',
        'host/gateway/fallback',
      ],
      'drops the reason of a gateway that answers 503': [
        'readRetryAfter(response), contractError(status, text)',
        'readRetryAfter(response)',
      ],
    },
    'gateway/records/block.ts': {
      'takes a block from which transactions are missing': [
        '(header.transactionCount ?? transactions.length) !== transactions.length',
        'transactions.length < 0',
      ],
    },
    'history/account-movements.ts': {
      'claims the ends of older escrows that no block lists': [
        'span.from > 0n && !span.listsExpired',
        'false',
        'host/history/account-movements',
      ],
      'omits an older escrow with two ends': [
        "status !== 'undetermined' || ",
        'status !== undefined || ',
        'host/history/account-movements',
      ],
      'omits the refund of an escrow': [
        '(isApproved ? payee : sender) === account',
        'isApproved && payee === account',
      ],
      'believes a decision of any account': ['ending.decidedBy === escrow.approver', 'true'],
      'believes that an escrow expired before its timeout': ['ending.blockTime > escrow.timeout', 'true'],
      'counts an escrow without an end as held for ever': [
        "time > escrow.timeout ? 'undetermined' : 'held'",
        "time > escrow.timeout ? 'held' : 'held'",
      ],
      'takes the fields of a transaction without comparing its hash': ['return isVerified &&', 'return'],
      'claims rewards that are older than the list of the newest': [
        '=> blockHeight < from)',
        '=> blockHeight <= from)',
        'host/history/account-movements',
      ],
    },
    'history/block-span.ts': {
      'forgets the ends of escrows that older blocks have': [
        '(lowest.from > 0n && !others.has(hash))',
        'false',
      ],
      'believes an older escrow that does not have its hash': [
        'found?.isVerified !== true',
        'found === undefined',
      ],
      'believes an older escrow that names a block of the span': ' if (height < span.from)',
      'counts an escrow twice that was found before its block was read': [
        'span.activities.filter(({ hash }) => !others.has(toHex(hash)))',
        'span.activities',
      ],
      'counts a transaction twice that a block repeats': [
        'others.has(hash) || placed.has(hash)',
        'placed.has(hash)',
      ],
      'takes a transaction again that a block of the span has': [
        'others.has(hash) || placed.has(hash)',
        'others.has(hash)',
      ],
      'overlooks a decision that does not have its hash': [
        "content.kind !== 'decision')",
        "content.kind !== 'decision' || !isVerified)",
      ],
    },
    'history/history.ts': {
      'lets one of several gateways pay or hide a reward': [
        'listsAllRewards: rewards?.isWhole === true',
        'listsAllRewards: rewards?.isWhole !== false',
      ],
      'looks up the same escrow at each block': [
        'this.#unverifiable.add(hash)',
        'this.#unverifiable.clear()',
      ],
      'reads the whole chain again if the position has another name': [
        "= readOptions(given, 'gateways');",
        '= given;',
      ],
      'credits a payment twice that a later page repeats': ['this.#heights.has(toHex(hash))', 'false'],
      'continues a stored history on another chain': [
        'if (isOther) throw',
        'if (isOther && from < 0n) throw',
      ],
      'forgets the escrows that are still open': ['escrow !== undefined)', 'escrow === null)'],
    },
    'history/watch.ts': {
      'asks a gateway without a pause': ['watch.next < next && !wasReplaced', 'watch.next < next'],
      'never takes back the payments of a replaced block': [
        'if (digestOf(again) !== newest.digest)',
        'if (again.height !== newest.at.from)',
      ],
      'stands still behind a large block': [
        'const isCut = added.length === 0;',
        'const isCut = added === undefined;',
      ],
      'finds no payment to an account in lower case': [
        'const address = accountText(parseAccount(account));',
        'const address = account;',
      ],
      'takes back payments of blocks that stay': ['this.#blocks.slice(kept);', 'this.#blocks;'],
      'loses the payments of the blocks that replace others': ['this.#scan.goBack(at);', ''],
      'counts a payment that does not have its hash': [
        "return status === 'undetermined';",
        "return status === 'pending';",
      ],
      'keeps watching from a block that the chain has replaced': ['if (isOver || !(error', 'if (!(error'],
    },
    'flow/chain/witnesses.ts': {
      'falls silent if too few gateways answer': [
        'asked.length - failed.length < this.#quorum',
        'asked.length < 0',
      ],
      'gives up on a gateway that is slow after an outage': [
        ' % SILENT_QUESTIONS',
        ' % (SILENT_QUESTIONS + 99)',
      ],
      'waits for a silent gateway at each page': ['ANSWER_MS / 2 ** halvings', 'ANSWER_MS'],
      'passes on what one gateway says of a transaction': [
        '{ ...transaction, blockHeight: undefined, stage: undefined, escrowState: undefined }',
        '{ ...transaction }',
      ],
      'believes one gateway about the place of an escrow': [
        'formatJson([one.blockHeight, contentOf(one)])',
        'formatJson([contentOf(one)])',
      ],
      'believes any of several gateways': ['gateways.length >= this.#quorum', 'gateways.length >= 1'],
      'takes a side of two that are equally strong': [' && rivals.length === 0', ''],
      'compares blocks by their hashes only': [
        'formatJson([height, hash, previousHash, timestamp, contents, expired?.map(toHex).sort()])',
        'formatJson([height, hash, previousHash, timestamp, contents.length])',
      ],
      'believes the fields of the last gateway that has a hash': [
        'if (transaction.isVerified) return transaction.hash;',
        'if (transaction.isVerified || transaction.hash) return transaction.hash;',
      ],
      'lets a gateway confirm itself': ['if (twice !== undefined)', 'if (twice === null)'],
    },
    'history/csv.ts': {
      'fails on a time before the first date': [' || seconds < -LAST_SECOND', ''],
      'lets a message be a formula': ['text.replaceAll(FORMULA, "$&\'")', 'text'],
      'guards a negative amount like a text': [
        'formatCoins(amount)',
        'formatCoins(amount).replace("-", "\'-")',
      ],
    },
    'flow/flow-step.ts': {
      'lets a callback of a payment fail the payment': [
        'void callListener(onProgress, withJson(copyOf(event)))',
        'onProgress?.(event)',
        'callbacks',
      ],
    },
    'device/session/event-feed.ts': {
      'lets a listener of a session end the process': [
        'void callListener(listener, value)',
        'listener(value)',
        'callbacks',
      ],
    },
    'device/signed-transaction.ts': {
      'does not verify signatures': ['(!verify(signature, message, publicKey))', '(signature.length !== 64)'],
      "hands out the device's transaction hash unchecked": [
        'if (toHex(hash) !== toHex(signed.transactionHash))',
        'if (hash.length !== signed.transactionHash.length)',
      ],
      'compares only one byte of the transaction hash': [
        'if (toHex(hash) !== toHex(signed.transactionHash))',
        'if (hash[0] !== signed.transactionHash[0])',
      ],
      'signs with a key that is not the pinned one': [
        'if (actualHex !== expectedHex)',
        'if (actualHex.length !== expectedHex.length)',
        'host/device/lying-device',
      ],
    },
    'device/signer.ts': {
      'does not work behind a Proxy': ['    bindMembers(this);\n', '', 'public-classes'],
      "does not verify a message's signature": '    checkSignature(signature, message, publicKey);\n',
      'signs for another sender': ['    checkSender(subject, publicKey);\n', '', 'host/device/lying-device'],
      'takes the approval of another program to learn what a device can do': [
        'ins: INS_SIGN_MESSAGE, p1: P1_REVEAL, data: NOTHING };',
        'ins: INS_SIGN_MESSAGE, p1: 0, p2: P2_COMMITMENT, data: new Uint8Array(40) };',
        'emulator/server/apdu-server',
      ],
    },
    'device/upload-header.ts': {
      'signs with account 0 for account 65536': [
        'new WireWriter().u32(account).finish()',
        'new WireWriter().u32(account & 0xffff).finish()',
        'host/device/signer',
      ],
      'signs with another account for account 2^31': [
        ' || account > MAX_ACCOUNT_INDEX',
        ' || (account >>> 0) > MAX_ACCOUNT_INDEX + 1',
        'host/device/signer',
      ],
      'checks bytes that the caller can change meanwhile': [
        "transaction: readBytes('transaction', needed.transaction),",
        'transaction: needed.transaction,',
      ],
      'sends a genesis hash of any length': ['length !== HASH_LENGTH', 'length > HASH_LENGTH'],
      'sends details of a token that nobody gave': ['decimals = TOKEN_DECIMALS_NOT_GIVEN,', 'decimals = 0,'],
    },
    'device/exchange-queue.ts': {
      'lets two commands interleave': '        await last;\n',
      'lets one failed command stop the next': [
        '        });\n      } finally {\n        end();\n      }',
        '        }).then(result => {\n          end();\n          return result;\n        });\n      } finally {\n      }',
      ],
    },
    'device/replies.ts': {
      'shows an address that does not belong to the key': [
        'if (String.fromCharCode(...data.subarray(PUBLIC_KEY_LENGTH)) !== address)',
        "if (address === '')",
      ],
      'talks to any app': ['if (name !== APP_NAME) {', "if (name === '') {"],
      'talks to a device with another protocol version': [
        'protocolVersion !== undefined && protocolVersion !== PROTOCOL_VERSION',
        'protocolVersion === 0',
      ],
      'reads a version that is cut short': ['data.length < TYPES_AT + 4 * count', 'data.length < TYPES_AT'],
    },
    'device/connection.ts': {
      'does not expect its upload to end early': "      expectLength(reply, 0, 'an early result');\n",
      'treats every status word as success': [
        'if (statusWord !== OK)',
        'if (statusWord === 0)',
        'host/device/status-errors',
        'host/device/signer',
      ],
    },
    'device/apdu.ts': {
      'sends chunks of 256 bytes': ['MAX_CHUNK, (at + 1) * MAX_CHUNK', 'MAX_CHUNK, (at + 1) * MAX_CHUNK + 1'],
      'accepts a reply that is longer than allowed': ' || bytes.length > MAX_APDU',
    },
    'device/status-errors.ts': {
      'reports a rejection as a malformed transaction':
        '  if (statusWord === status.USER_REJECTED) return rejectedError(place, subject);\n',
    },
    'device/transport/report-framing.ts': {
      'hides that a report is cut short': ['report.length !== REPORT_LENGTH || ', ''],
      'takes a cancellation for a piece of a reply': [' || report[2] !== TAG', ''],
      "accepts another channel's reply as its own": [
        ' || u16be(report, 0) !== this.channel',
        '',
        'host/device/transport/report-framing',
        'host/device/transport/usb/hid',
      ],
      'assembles a reply from reports that are out of order': ['!== this.#sequence', '> 999'],
      'waits for a reply that is longer than allowed': ['if (length > MAX_APDU) {', 'if (length > 0xffff) {'],
    },
    'device/transport/report-channels.ts': {
      'treats a late reply as the reply to the next command': '    this.#count += 1;\n',
      'changes its channel within an upload': '    this.#upload = isUnfinished ? channel : undefined;\n',
    },
    'device/transport/report-link.ts': {
      'probes on the channel of the waiting command': ['channels.take(this.#pending),', 'channels.take(),'],
      'writes between the reports of a command that was abandoned': [
        'this.#written = this.#written.then(async () => {',
        'this.#written = Promise.resolve().then(async () => {',
        'host/device/transport/usb/usb',
      ],
    },
    'device/transport/usb/device-selection.ts': {
      'opens another device than before': [
        '    matching.find(device => isLast(device) && device.path === last?.path) ??\n',
        '',
        'host/device/transport/usb/hid',
      ],
      'opens another device after its device was plugged in elsewhere': [
        '    matching.find(device => isLast(device) && device.serialNumber) ??\n',
        '',
        'host/device/transport/usb/hid',
      ],
    },
    'device/transport/usb/hid-device.ts': {
      'writes reports without the report id': ['id = Uint8Array.of(REPORT_ID);', 'id = new Uint8Array(0);'],
      'opens any device with its ids': [
        'return usagePage === USAGE_PAGE || (usagePage === undefined && number === HID_INTERFACE);',
        'return usagePage !== 0;',
      ],
    },
    'device/transport/report-transport.ts': {
      'keeps a device that failed': '      else await this.close();\n',
    },
    'device/transport/usb/usbip.ts': {
      'waits for data after each report that it sent': ['transfer.isIn ? length : 0', 'length'],
    },
    'device/transport/serial/tcp.ts': {
      'accepts unrequested bytes as the next reply': ['if (this.#waiter === undefined)', 'if (this.#failed)'],
      'drops the bytes that follow a reply': [' || this.#unread.length > end) {', ') {'],
      'waits for a reply on TCP that is longer than allowed': 'end > LENGTH_BYTES + MAX_APDU ||',
      'sends a command that was closed before the connection': [
        '    this.#socket.destroy();\n    waiter',
        '    waiter',
      ],
      'goes on with a connection whose command was aborted': ['\n      this.close();\n', '\n'],
    },
    'device/transport/http.ts': {
      'reads a body without end': ['if (body.length > MAX_BODY)', 'if (body.length > 1 << 28)'],
      'treats every HTTP status as success': ['statusCode !== 200', 'statusCode === undefined'],
    },
    'networks.ts': {
      'names the wrong chain beforehand': [
        'network => network.genesisHash === hex',
        'network => network.genesisHash.slice(0, 8) === hex.slice(0, 8)',
      ],
    },
    'software-signer.ts': {
      'signs in software a transaction that no signer would accept':
        '    decodeTransaction(transaction, accountFromPublicKey(publicKey));\n',
      'keeps the private key after a wipe': '    this.#privateKey.fill(0);\n',
    },
    'device/transport/serial/uart-packets.ts': {
      'takes a damaged report of a UART for a reply': [
        '  if (crc32(checked) !== content.readUInt32LE(checked.length)) return undefined;\n',
        '',
      ],
      'compares a quarter of the checksum of a UART packet': [
        'if (crc32(checked) !== content.readUInt32LE(checked.length))',
        'if ((crc32(checked) & 0xff) !== content[checked.length])',
      ],
      'grows without end on a noisy UART': ['if (this.#bytes.length < MAX_ESCAPED) ', ''],
      'reads c0 of a signature as the end of a packet': [
        'if (byte === END) return [ESCAPE, ESCAPED_END];',
        'if (byte === -1) return [ESCAPE, ESCAPED_END];',
      ],
    },
    'device/transport/serial/uart-line.ts': {
      'sends a report that the signer cannot take yet': ['      this.#mayWrite = false;\n', ''],
    },
  },
};

/** Faults in what the packages share: calls of callbacks, and instances behind a Proxy. */
export const callbacks: Module = {
  name: 'callbacks',
  guards: 'docs/WALLET.md#events-states-and-times',
  directory: 'protocol/src',
  tests: ['callbacks'],
  faults: {
    'callbacks.ts': {
      'lets a rejected promise of a callback end the process': ['    await listener', '    void listener'],
    },
    'bound-members.ts': {
      'binds no accessor': ['if (get !== undefined)', 'if (value !== undefined)', 'public-classes'],
      'fails in a test of Jest, which has more than one realm': [
        'Object.getPrototypeOf(prototype) === null',
        'prototype === Object.prototype',
        'emulator/trace/test-source',
      ],
    },
  },
};
