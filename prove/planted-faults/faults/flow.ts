import type { Module } from '../fault.js';

/** Faults in the payment flow and in reading the gateway's answers. */
export const flow: Module = {
  name: 'flow',
  guards: 'docs/WALLET.md#what-is-known-about-a-payment',
  guardsBy: {
    'flow/chain/chain.ts': 'docs/gateway/routes.md#signing-version',
    'gateway/node-hostname.ts': 'docs/gateway/routes.md#signing-version',
    'flow/chain/height.ts': 'docs/gateway/routes.md#blocks',
    'flow/chain/fee.ts': 'docs/gateway/routes.md#fee-estimate',
    'flow/transaction-copy.ts': 'docs/gateway/routes.md#client-sequence',
    'clock.ts': 'docs/TRANSACTION.md#wire-format',
    'flow/draft/escrowed.ts': 'docs/gateway/routes.md#client-sequence',
    'flow/chain/retry.ts': 'docs/WALLET.md#events-states-and-times',
    'flow/draft/holdings.ts': 'docs/gateway/routes.md#client-sequence',
    'gateway/records/transaction.ts': 'docs/gateway/routes.md#broadcast-response',
    'gateway/records/holdings.ts': 'docs/gateway/routes.md#tokens',
    'gateway/answer.ts': 'docs/gateway/routes.md#node-information',
    'gateway/http.ts': 'docs/gateway/routes.md#errors',
    'gateway/broadcast.ts': 'docs/gateway/routes.md#broadcast-request',
    'gateway/records/node.ts': 'docs/gateway/routes.md#signing-version',
    'flow/sign.ts': 'docs/WALLET.md#sign-offline',
    'flow/document.ts': 'docs/TRANSACTION.md#transaction-document',
    'hands the device a symbol that it would refuse': 'docs/APDU.md#sign_tx',
    'accepts the status of another transaction': 'docs/gateway/routes.md#transaction-status',
    'accepts a negative balance': 'docs/gateway/routes.md#accounts',
  },
  directory: 'host/src',
  tests: ['host/flow/send'],
  testsBy: {
    'flow/chain/fee.ts': ['host/flow/steps'],
    'flow/transaction-copy.ts': ['host/flow/steps'],
    'flow/errors.ts': ['host/flow/outcomes'],
    'network-fault.ts': ['host/flow/outcomes'],
    'flow/journal/file-journal.ts': ['host/flow/unsettled', 'host/flow/journal/file-journal'],
    'flow/flow-step.ts': ['host/flow/deadline'],
    'gateway/records/transaction.ts': ['host/gateway/client'],
    'gateway/records/holdings.ts': ['host/gateway/client'],
    'gateway/answer.ts': ['host/gateway/client'],
    'gateway/http.ts': ['host/gateway/client'],
    'flow/journal/memory-journal.ts': ['host/flow/sent-transactions'],
    'gateway/records/node.ts': ['host/flow/hostile-gateway'],
    'flow/sign.ts': ['host/flow/steps'],
    'gateway/broadcast.ts': ['host/flow/send'],
  },
  faults: {
    'flow/chain/chain.ts': {
      'signs for a node that does not report its signing version': [
        'if (info.signingVersion !== SIGNING_VERSION)',
        'if (info.signingVersion !== undefined && info.signingVersion !== SIGNING_VERSION)',
      ],
      'signs for a node of a later signing version': [
        'if (info.signingVersion !== SIGNING_VERSION)',
        'if (info.signingVersion === undefined || info.signingVersion < SIGNING_VERSION)',
        'host/flow/send',
      ],
      'signs with the tag of another chain': [
        'info.signingTag !== SIGNING_TAG',
        'info.signingTag.length !== SIGNING_TAG.length',
        'host/flow/send',
      ],
      'signs for a chain other than the named one': [
        'toHex(step.expectedGenesisHash) !== genesisHash',
        'toHex(step.expectedGenesisHash).length !== genesisHash.length',
        'host/flow/steps',
      ],
      'believes a node that is on another chain': [
        'toHex(info.genesisHash) !== toHex(genesisHash)',
        'toHex(info.genesisHash).length !== toHex(genesisHash).length',
      ],
      'asks nodes that, according to the gateway, do not answer': 'node.answers && ',
      'asks an archival node before a full one': ['[true, false].map', '[false, true].map'],
    },
    'gateway/node-hostname.ts': {
      'makes a hostname from text that is not an address': '!IPV4.test(ip) ||',
    },
    'flow/chain/height.ts': {
      'does not wait for the height of the confirmation': ['last >= height', 'last >= 0n'],
    },
    'flow/submit.ts': {
      'does not compare the hash that the gateway reports': [
        'toHex(receipt.transactionHash) === signedHash',
        'toHex(receipt.transactionHash).length === signedHash.length',
      ],
      'sends again without asking for the status first':
        "if (this.sent !== 'no' && (await this.#isKnownAfter(error))) return this.#accepted;",
      'asks for the status at once, before the node can know': [
        '    await clock.sleep(pauseMs, request.signal);\n    return isLast;\n',
        '    return isLast;\n',
      ],
      'sends a transaction again that the node refused': ["=== 'no' ? PAUSES_MS", "!== 'yes' ? PAUSES_MS"],
      'gives up when the gateway is under load': [
        '    if (isBusy(error)) {\n',
        '    if (isBusy(error) && !isBusy(error)) {\n',
        'host/flow/deadline',
      ],
      'reports a transaction as new that was sent before': ['duplicate: true', 'duplicate: false'],
      'reports a lost broadcast as refused': [
        'if (!(error instanceof GatewayStatusError) || isOutcomeUnknown(error)) {',
        'if (!(error instanceof GatewayStatusError)) {',
        'host/flow/outcomes',
      ],
      'sends two payments that were prepared at the same time': [
        '    if (isAsked) refuseUnsettled(pending, signed);\n',
        '',
        'host/flow/unsettled',
      ],
      'sends one of two payments although either may have been made': [
        '    if (isRivalled) return false;\n',
        '',
        'host/flow/unsettled',
      ],
      'sends a payment that is held': [' && kept.isHeld !== true', '', 'host/flow/unsettled'],
      'does not say which broadcast had a wrong signature': [
        'return INVALID_SIGNATURE.test(error.nodeError)',
        "return error.nodeError === ''",
      ],
      'broadcasts a transaction that the chain already knows': [
        "if (known !== undefined && this.sent === 'no') {",
        "if (known !== undefined && this.sent === 'no' && transactionHash.length === 0) {",
        'host/flow/unsettled',
      ],
      'treats every stage as accepted': [
        'status !== undefined && ACCEPTED_STAGES.includes(status.stage)',
        'status !== undefined',
        'host/flow/hostile-gateway',
      ],
      'reports a payment as unsent that may have been sent': [
        "    if (sent === 'no') this.sent = 'maybe';\n",
        '',
        'host/flow/interruption',
      ],
      'submits a transaction that was changed after it was signed': [
        '  checkSigned(signed, { genesisHash, unsigned: encodeTransaction(transaction), publicKey });\n',
        '',
        'host/flow/steps',
      ],
    },
    'flow/chain/fee.ts': {
      'pays less than the minimum fee': ['if (fee < minimumFee ||', 'if (fee < 0n ||', 'host/flow/send'],
      'pays any fee': '  if (fee > step.maxFee) throw feeTooHighError(fee, step.maxFee, minimumFee);\n',
      'limits only the fee that the caller gave': ['fee > step.', 'given !== undefined && fee > step.'],
      'signs although the clock is wrong by hours': [
        '  checkClock(transaction.timestamp, nodeTime);\n',
        '',
        'host/flow/chain/fee',
      ],
    },
    'flow/transaction-copy.ts': {
      'asks the user to approve a transaction that no signer accepts': [
        'const copy = decodeTransaction(encodeTransaction(transaction), own);',
        'const copy = transaction;',
      ],
    },
    'clock.ts': {
      'dates transactions in milliseconds': ['(Math.floor(clock.now() / 1000))', '(Math.floor(clock.now()))'],
    },
    'flow/prepare.ts': {
      'hands the device a symbol that it would refuse': ['cleanSymbol(token.symbol);', 'token.symbol;'],
      'pays again while the first payment may still be accepted': [
        'options.paysAgain !== true',
        'options.paysAgain === false',
        'host/flow/unsettled',
      ],
    },
    'flow/draft/escrowed.ts': {
      'asks the user about a transaction with another hash': [
        'if (toHex(transactionHash(stored.unsigned, stored.signature)) !== hash) {',
        'if (hash.length !== 64) {',
      ],
      "asks the user about someone else's escrow": ['undefined || !sameAccount(approver, own)', 'undefined'],
      'lets the user decide on an escrow that is already decided': [
        '  checkUndecided(step, hash, stored, linked);\n',
        '',
        'host/flow/hostile-gateway',
      ],
    },
    'flow/broadcast-failure.ts': {
      'treats HTTP 500 as a refusal': ['error.status >= 500 ||', 'error.status > 500 ||'],
      'mistakes an invalid response for a rejection': '    error instanceof GatewayMalformedError ||\n',
    },
    'flow/errors.ts': {
      'reports every refused broadcast as certainly unsent': [
        '    transactionHash,\n    sent,\n    ...(sent',
        "    transactionHash,\n    sent: explained.code === 'BROADCAST_REFUSED' ? 'no' : sent,\n    ...(sent",
      ],
    },
    'network-fault.ts': {
      'reports a closed connection as one that was never made': [
        "const NOT_CONNECTED = ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'];",
        "const NOT_CONNECTED = ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET'];",
      ],
    },
    'flow/sent.ts': {
      'ends the window of an unsent payment one second early': ['WINDOW_SECONDS + 1n;', 'WINDOW_SECONDS;'],
    },
    'flow/confirm.ts': {
      'forgets a confirmed payment while another one is open': [
        '    await holdOthers(journal, await pendingOf(journal), submitted);\n',
        '',
        'host/flow/unsettled',
      ],
      'accepts a confirmation in a block that is too old': [
        'const isEarlier = wanted <= preparedHeight;',
        'const isEarlier = wanted < 0n;',
        'host/flow/outcomes',
      ],
      'accepts a confirmation in a block that never arrives': [
        'if (height !== undefined && height >= wanted) return true;',
        'if (height !== undefined) return true;',
        'host/flow/outcomes',
      ],
      'trusts one gateway instead of the majority': [
        'if (votes.get(block) === quorum) resolve(status);',
        'resolve(status);',
        'host/flow/several-gateways',
      ],
      'waits too long for a confirmation': ['deadlineMs - elapsedMs', 'deadlineMs + 60_000 - elapsedMs'],
      'treats a transaction in the mempool as confirmed': ["'confirmed", "'mempool' as string as 'confirmed"],
    },
    'flow/journal/file-journal.ts': {
      'forgets payments of another program': ['names.length === 1 ? [own, heldName(hash)] : [own]', 'names'],
    },
    'flow/flow-step.ts': {
      'waits beyond the deadline for the rest of an answer': [
        '{ ...request, timeoutMs: deadlineMs - elapsedMs(clock) }',
        'request',
      ],
    },
    'flow/chain/retry.ts': {
      'waits what a gateway asks': ['Math.min(askedMs, MAX_RETRY_AFTER_MS)', 'askedMs', 'host/flow/deadline'],
      'gives up a read at the first failure': [
        'const READ_PAUSES_MS = [200, 400, 800];',
        'const READ_PAUSES_MS: number[] = [];',
      ],
      'repeats a read that cannot succeed': ['if (!isPassing(error) ||', 'if (pauseMs < 0 ||'],
    },
    'flow/draft/holdings.ts': {
      'forgets the commission of an escrow': ' + (transaction.escrow?.commission ?? 0n)',
      'spends more tokens than the account has': ['> token.spendable', '> token.spendable * 2n'],
      'scales by the decimals of another token': ['if (token?.id !== tokenId)', 'if (token === undefined)'],
      'trusts decimals that only one route reports': [
        'own.decimals !== token.decimals',
        'own.decimals > 8',
        'host/flow/hostile-gateway',
      ],
    },
    'gateway/records/transaction.ts': {
      'accepts the status of another transaction': [
        "answer.has('transaction_hash') && toHex(answer.hash",
        "!answer.has('transaction_hash') && toHex(answer.hash",
      ],
      'treats every broadcast status as success': ["text('status') !== 'success'", "text('status') === ''"],
      'does not report that the node already had the transaction': [
        "duplicate: answer.has('duplicate') && answer.flag('duplicate'),",
        'duplicate: false,',
        'host/gateway/client',
        'host/flow/send',
      ],
    },
    'gateway/records/holdings.ts': {
      'accepts a token with 9 decimals': ['if (decimals > MAX_TOKEN_DECIMALS) {', 'if (decimals > 9) {'],
    },
    'gateway/answer.ts': {
      'accepts a negative balance': ['if (value < 0n)', 'if (value < -1n)'],
      'accepts a genesis hash of any length': ['digits.length !== 2 * length', 'digits.length > 2 * length'],
      'lets an integer of a gateway exceed 64 bits': [' || value > MAX_U64', '', 'host/flow/hostile-gateway'],
    },
    'gateway/http.ts': {
      'follows a redirection with a broadcast': ["redirect: 'manual',", "redirect: 'follow',"],
      'reads an answer without end': ['if (length > maxBytes) {', 'if (length > maxBytes * 1000) {'],
      "treats a proxy's empty 404 as the chain's answer": [' status < 500', ' status < 400'],
      'accepts a password in the address of a gateway': ["!== '' || url.password !== ''", "=== '-'"],
      "prints a node's error text unchanged": ['return isError ? cleanText(error)', 'return isError ? error'],
    },
    'gateway/broadcast.ts': {
      'leaves the instruction out of the broadcast':
        '    ...(instruction.length > 0 && { instruction: decodeInstruction(instruction) }),\n',
      'broadcasts an instruction that no node can rebuild': [
        '{ fatal: true, ignoreBOM: true }',
        '{ fatal: false, ignoreBOM: true }',
        'host/gateway/broadcast',
      ],
      'drops the byte-order mark of an instruction': [': true, ignoreBOM', '', 'host/gateway/broadcast'],
      'broadcasts more than field 8 as the body': [
        'toHex(encodeBody(transaction))',
        'toHex(encodeAccount(recipient)) + toHex(encodeBody(transaction))',
      ],
    },
    'flow/journal/memory-journal.ts': {
      'gives two equal payments the same timestamp': '    taken.set(timestamp, nowMs());\n',
      'ignores payments that another process has sent': ' || others.has(timestamp)',
    },
    'gateway/records/node.ts': {
      'accepts a signing version that is a string': ['answer.strictInteger', 'answer.integer'],
    },
    'flow/sign.ts': {
      'trusts the signature of a signer':
        '  checkSigned({ signature, transactionHash }, { genesisHash, unsigned, publicKey });\n',
      'signs a transaction that was prepared yesterday': [' < -WINDOW_SECONDS', ' > 2n * WINDOW_SECONDS'],
      'signs a transaction that is dated far in the future': [' > WINDOW_SECONDS', ' > 24n * WINDOW_SECONDS'],
    },
    'flow/document.ts': {
      'shows the review that a document claims': [
        "  if (formatJson(fields.get('review')) !== formatJson(review)) throw",
        "  if (!fields.has('review')) throw",
      ],
      'believes the hash of a document':
        '  checkSigned(signed, { genesisHash, unsigned: encodeTransaction(transaction), publicKey });\n',
    },
  },
};
