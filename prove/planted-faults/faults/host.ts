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
    'device/transport/usb/hid-device.ts': 'docs/APDU.md#hid',
    'device/transport/report-transport.ts': 'docs/APDU.md#hid',
    'device/transport/serial/tcp-link.ts': 'docs/APDU.md#tcp',
    'device/transport/serial/socket-transport.ts': 'docs/APDU.md#tcp',
    'device/transport/http.ts': 'docs/APDU.md#http',
    'networks.ts': 'docs/TRANSACTION.md#review-items',
    'device/software-signer.ts': 'docs/TRANSACTION.md#signer-rules',
    'signs for another sender': 'docs/APDU.md#sign_tx',
    'shows an address that does not belong to the key': 'docs/APDU.md#get_public_key',
    'treats every status word as success': 'docs/APDU.md#status-words',
  },
  directory: 'host/src',
  tests: ['host/device/signer'],
  testsBy: {
    'device/transport/report-channels.ts': ['host/device/transport/usb/hid'],
    'device/transport/report-link.ts': ['host/device/transport/faults'],
    'device/transport/usb/hid-device.ts': ['host/device/transport/usb/hid'],
    'device/transport/report-transport.ts': ['host/device/transport/usb/hid'],
    'device/transport/serial/tcp-link.ts': ['host/device/transport/serial/tcp'],
    'device/transport/serial/socket-transport.ts': ['host/device/transport/serial/tcp'],
    'networks.ts': ['host/device/expected-review'],
  },
  faults: {
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
      "does not verify a message's signature": '    checkSignature(signature, message, publicKey);\n',
      'signs for another sender': ['    checkSender(subject, publicKey);\n', '', 'host/device/lying-device'],
    },
    'device/upload-header.ts': {
      'checks bytes that the caller can change meanwhile': [
        "transaction: readBytes('transaction', needed.transaction),",
        'transaction: needed.transaction,',
      ],
      'sends a genesis hash of any length': ['length !== HASH_LENGTH', 'length > HASH_LENGTH'],
      'sends details of a token that nobody gave': ['decimals = TOKEN_DECIMALS_NOT_GIVEN,', 'decimals = 0,'],
    },
    'device/exchange-queue.ts': {
      'lets two commands interleave': '    this.#last = result.catch(() => undefined);\n',
      'lets one failed command fail the next': ['#last = result.catch(() => undefined);', '#last = result;'],
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
    },
    'device/transport/report-link.ts': {
      'probes on the channel of the waiting command': ['channels.take(this.#pending),', 'channels.take(),'],
      'writes between the reports of a command that was abandoned': [
        'this.#written = this.#written.then(async () => {',
        'this.#written = Promise.resolve().then(async () => {',
        'host/device/transport/usb/usb',
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
    'device/transport/serial/tcp-link.ts': {
      'accepts unrequested bytes as the next reply': ['if (this.#waiter === undefined)', 'if (this.#failed)'],
      'drops the bytes that follow a reply': [' || this.#unread.length > end) {', ') {'],
      'waits for a reply on TCP that is longer than allowed': 'end > LENGTH_BYTES + MAX_APDU ||',
      'sends a command before the connection': ['(this.#isConnected) this.#socket', '(frame) this.#socket'],
      'sends a command that was aborted before the connection': '    if (this.#failed) return;\n',
    },
    'device/transport/serial/socket-transport.ts': {
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
    'device/software-signer.ts': {
      'signs in software a transaction that no signer would accept':
        '    decodeTransaction(transaction, accountFromPublicKey(publicKey));\n',
      'keeps the private key after a wipe': '    this.#privateKey.fill(0);\n',
    },
  },
};
