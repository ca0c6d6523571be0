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
    'flow/estimate.ts': 'docs/gateway/routes.md#fee-estimate',
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
    'flow/resume.ts': 'docs/WALLET.md#outcomes-of-resumepayments',
    'flow/journal/journal.ts': 'docs/WALLET.md#a-second-payment-to-the-same-recipient',
    'private-file.ts': 'docs/WALLET.md#journals-of-the-library',
    'flow/journal/file-journal.ts': 'docs/WALLET.md#journals-of-the-library',
    'flow/input.ts': 'docs/WALLET.md#send',
    'flow/payouts.ts': 'docs/WALLET.md#payouts',
    'hands the device a symbol that it would refuse': 'docs/APDU.md#sign_tx',
    'accepts the status of another transaction': 'docs/gateway/routes.md#transaction-status',
    'accepts a negative balance': 'docs/gateway/routes.md#accounts',
  },
  directory: 'host/src',
  tests: ['host/flow/send', 'host/flow/outcomes', 'host/flow/hostile-gateway', 'host/flow/deadline'],
  testsBy: {
    'flow/chain/fee.ts': ['host/flow/steps'],
    'flow/transaction-copy.ts': ['host/flow/steps'],
    'flow/errors.ts': ['host/flow/outcomes'],
    'network-fault.ts': ['host/flow/outcomes'],
    'private-file.ts': ['host/flow/journal/journal'],
    'flow/journal/file-journal.ts': ['host/flow/unsettled', 'host/flow/journal/file-journal'],
    'flow/flow-step.ts': ['host/flow/deadline'],
    'gateway/records/transaction.ts': ['host/gateway/client'],
    'gateway/records/holdings.ts': ['host/gateway/client'],
    'gateway/answer.ts': ['host/gateway/client'],
    'gateway/http.ts': ['host/gateway/client'],
    'flow/journal/memory-journal.ts': ['host/flow/sent-transactions'],
    'flow/resume.ts': ['host/flow/journal/journal', 'host/flow/unsettled'],
    'flow/sign.ts': ['host/flow/steps'],
    'flow/payouts.ts': ['host/flow/payouts'],
    'gateway/broadcast.ts': ['host/flow/send'],
    'flow/prepare.ts': ['host/flow/send', 'host/flow/chain/fee'],
    'gateway/records/node.ts': ['host/flow/send'],
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
      'signs for a chain that no other gateway confirms': [
        '  if (answers.length === 0 && failure !== undefined) throw failure;\n',
        '',
        'host/flow/several-gateways',
      ],
      'asks an archival node before a full one': ['[true, false].map', '[false, true].map'],
    },
    'gateway/node-hostname.ts': {
      'makes a hostname from text that is not an address': '!IPV4.test(ip) ||',
    },
    'flow/chain/height.ts': {
      'does not wait for the height of the confirmation': ['status.height >= height', 'status.height >= 0n'],
      'ends the wait for a height at one odd answer': [
        'if (!(error instanceof GatewayError)) throw error;',
        'if (!(error instanceof GatewayError)) throw error;\n      if (error.code === "GATEWAY_MALFORMED") return;',
        'host/flow/chain/height',
      ],
    },
    'flow/submit.ts': {
      'sends a transaction of a document that no node accepts any more': [
        ' || (this.isFromDocument && this.#answers.length === 0)',
        '',
        'host/flow/steps',
      ],
      'keeps a payment from all gateways because one says that it has it': [
        '(await this.#isKnownBefore()) && this.targets.length === 1',
        'await this.#isKnownBefore()',
        'host/flow/several-gateways',
      ],
      'believes a refusal while another gateway has the payment': [
        'of [step.gateway, ...step.otherGateways]) {',
        'of [step.gateway]) {',
        'host/flow/several-gateways',
      ],
      'reports a payment as refused that one of several gateways may have taken': [
        '      errors.find(isOutcomeUnknown) ??\n',
        '',
        'host/flow/several-gateways',
      ],
      'pays twice when two programs pay one recipient at the same moment': [
        '    if (isAsked) await refuseLater(submission, journal);\n',
        '',
        'host/flow/unsettled',
      ],
      'sends the payment before in addition to the one that the user made instead': [
        '    if (paysAgain) await callJournal(() => holdOthers(journal, pending, signed), submission.sent);\n',
        '',
        'host/flow/unsettled',
      ],
      'broadcasts a transaction that anybody can make happen later': [
        '    if (secondsAhead(step.clock, timestamp) > WINDOW_SECONDS) throw transactionPostdatedError(timestamp);\n',
        '',
        'host/flow/steps',
      ],
      'sends a payment that its caller withdrew meanwhile': [
        '  if (isFound === false) throw heldPaymentError(toHex(signed.transactionHash));\n',
        '',
        'host/flow/unsettled',
      ],
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
      'sends a transaction again that the node refused': [
        "(error) === 'no'\n      ? PAUSES_MS",
        "(error) !== 'yes'\n      ? PAUSES_MS",
      ],
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
        'host/flow/outcomes',
      ],
      'reports a payment as unsent that may have been sent': [
        "    if (sent === 'no') this.sent = 'maybe';\n",
        '',
        'host/flow/interruption',
      ],
      'broadcasts a transaction that no node accepts any more': [
        'secondsAhead(step.clock, timestamp) < -WINDOW_SECONDS',
        'secondsAhead(step.clock, timestamp) < -24n * WINDOW_SECONDS',
        'host/flow/steps',
      ],
      'submits a transaction that was changed after it was signed': [
        '  checkSigned(signed, { genesisHash, unsigned: encodeTransaction(transaction), publicKey });\n',
        '',
        'host/flow/steps',
      ],
    },
    'flow/estimate.ts': {
      'estimates the fee of a shorter body than the one that is sent': [
        'lengths.at(feeInToken === undefined ? 0 : -1)',
        'lengths.at(0)',
        'host/flow/chain/fee',
      ],
    },
    'flow/chain/fee.ts': {
      'pays a fee that no other gateway confirms': [
        'fees.indexOf(fee) < at',
        'fees.indexOf(fee) <= at',
        'host/flow/several-gateways',
      ],
      'signs for a node whose clock is hours ahead': [
        ' || -difference > WINDOW_SECONDS',
        '',
        'host/flow/chain/fee',
      ],
      'pays less than the minimum fee': ['if (fee < minimumFee ||', 'if (fee < 0n ||', 'host/flow/send'],
      'pays any fee': '  if (fee > step.maxFee) throw feeTooHighError(fee, step.maxFee, minimumFee);\n',
      'limits only the fee that the caller gave': ['fee > step.', 'given !== undefined && fee > step.'],
      'pays the fee that one of several gateways asks for': [
        'agreed === undefined && other !== undefined && !isGiven',
        'agreed === undefined && other !== undefined && isGiven',
        'host/flow/several-gateways',
      ],
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
      'asks the user to approve a payment of nothing': [
        'withoutFee.amount === 0n) {',
        'withoutFee.amount < 0n) {',
      ],
      'prepares a fee that the nodes may not accept': [
        ' && !allowsFeeInToken) throw',
        ' && allowsFeeInToken) throw',
      ],
      'pays again while the first payment may still be accepted': [
        'options.paysAgain !== true',
        'options.paysAgain === false',
        'host/flow/unsettled',
      ],
    },
    'flow/draft/escrowed.ts': {
      'asks the user about an escrow whose decision no other gateway reported': [
        'throw others.failure ?? escrowNotFoundError(hash)',
        'if (others.failure === undefined) throw escrowNotFoundError(hash)',
        'host/flow/hostile-gateway',
      ],
      'lets the user approve an escrow after its timeout': [
        'escrow !== undefined && escrow.timeout <= secondsOf(step.clock)',
        'escrow !== undefined && escrow.timeout <= 0n',
        'host/flow/hostile-gateway',
      ],
      'asks the user about a transaction with another hash': [
        'if (toHex(transactionHash(stored.unsigned, stored.signature)) !== hash) {',
        'if (hash.length !== 64) {',
      ],
      "asks the user about someone else's escrow": ['undefined || !sameAccount(approver, own)', 'undefined'],
      'lets the user decide on an escrow that is already decided': [
        '[stored, ...known]',
        'known',
        'host/flow/hostile-gateway',
      ],
      'lets the user decide on an escrow that another gateway knows as decided': [
        '[stored, ...known]',
        '[stored]',
        'host/flow/hostile-gateway',
      ],
      'asks the user about an escrow that no other gateway knows': [
        'if (known.length === 0 && step.otherGateways.length > 0)',
        'if (known.length === 0 && step.otherGateways.length < 0)',
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
    'flow/prepared.ts': {
      'writes the bytes of a result as an object':
        '  if (value instanceof Uint8Array) return toHex(value);\n',
    },
    'flow/sent.ts': {
      'forgets that a copy of the payment was handed out': [
        '  UNSUBMITTED.delete(hash);\n',
        '  if (isKnown) UNSUBMITTED.delete(hash);\n',
        'host/flow/unsettled',
      ],
      'reports a payment as unsent that was submitted twice': [
        '  UNSUBMITTED.delete(hash);\n',
        '',
        'host/flow/unsettled',
        'host/flow/steps',
      ],
      'ends the window of an unsent payment one second early': ['WINDOW_SECONDS + 1n;', 'WINDOW_SECONDS;'],
    },
    'flow/confirm.ts': {
      'counts gateways that name no block as agreeing': [
        '  if (blockHeight === undefined && statements.length > 1) return 0;\n',
        '',
        'host/flow/several-gateways',
      ],
      'counts gateways that name different blocks as agreeing': [
        'isConfirmed && status.blockHeight === blockHeight',
        'isConfirmed && status.blockHeight !== undefined',
        'host/flow/several-gateways',
      ],
      'is content with half of the gateways': [
        'Math.floor((otherGateways.length + 1) / 2) + 1',
        'Math.floor((otherGateways.length + 2) / 2)',
        'host/flow/several-gateways',
      ],
      'forgets a confirmed payment while another one is open': [
        '    await holdOthers(journal, await pendingOf(journal), submitted);\n',
        '',
        'host/flow/unsettled',
      ],
      'accepts a confirmation in a block that is too old': [
        'block > preparedHeight || (isLate',
        'block >= 0n || (isLate',
        'host/flow/outcomes',
      ],
      'accepts a confirmation in a block that never arrives': [
        'if (mayContain && height >= block)',
        'if (mayContain)',
        'host/flow/outcomes',
      ],
      'trusts one gateway instead of the majority': [
        'agreeing(statements, statement.status) >= step.quorum',
        'agreeing(statements, statement.status) > 0',
        'host/flow/several-gateways',
      ],
      'ends the wait for a confirmation at one odd answer': [
        '{ ...statement, failure };',
        'Promise.reject(failure);',
        'host/flow/several-gateways',
      ],
      'counts a gateway by an answer that it no longer gives': [
        '        statements[at] = statement;\n',
        '        if (!statements[at]?.isConfirmed) statements[at] = statement;\n',
        'host/flow/several-gateways',
      ],
      'waits too long for a confirmation': ['deadlineMs - elapsedMs', 'deadlineMs + 60_000 - elapsedMs'],
      'treats a transaction in the mempool as confirmed': ["'confirmed", "'mempool' as string as 'confirmed"],
    },
    'private-file.ts': {
      'loses a payment that was sent at a power cut': ['    await file.sync();\n', ''],
      'loses the name of the file of a payment at a power cut': ['  await syncDirectory(directory);\n', ''],
    },
    'flow/journal/file-journal.ts': {
      'loses the mark of a held payment at a power cut, and pays twice': [
        '      await file.close();\n      await syncDirectory(this.directory);\n',
        '      await file.close();\n',
        'host/flow/journal/journal',
      ],
      'forgets payments of another program': ['names.length === 1 ? [own, heldName(hash)] : [own]', 'names'],
    },
    'flow/flow-step.ts': {
      'lets a listener change the payment that is being made': [
        'withJson(copyOf(event))',
        'withJson(event)',
        'host/flow/input',
      ],
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
      'spends coins that are held in an escrow': ['account?.spendable ?? 0n', 'account?.balance ?? 0n'],
      'forgets the commission of an escrow': ' + (transaction.escrow?.commission ?? 0n)',
      'spends more tokens than the account has': ['> token.spendable', '> token.spendable * 2n'],
      'trusts decimals that only one route reports': [
        "if (own !== undefined) checkSameToken(token, own, 'in the list of the tokens of the account');",
        '',
        'host/flow/hostile-gateway',
      ],
      'trusts one of several gateways about a token': [
        'for (const { gateway, answer } of known) checkSameToken',
        'for (const { gateway, answer } of known.slice(9)) checkSameToken',
        'host/flow/several-gateways',
      ],
      'shows a symbol that one gateway alone reports': [
        "symbol !== undefined && isVouched('symbol')",
        'symbol !== undefined',
        'host/flow/several-gateways',
      ],
      'compares only the decimals of a token': [
        "['decimals', 'symbol', 'name'] as const",
        "['decimals'] as ('decimals' | 'symbol' | 'name')[]",
        'host/flow/several-gateways',
      ],
      'shows a token that no other gateway knows': [
        'if (known.length === 0 && step.otherGateways.length > 0)',
        'if (known.length === 0 && step.otherGateways.length < 0)',
        'host/flow/several-gateways',
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
      'shows or hands the device a symbol that it would refuse': [
        "cleanSymbol(answer.has('symbol') ? answer.rawText('symbol') : undefined);",
        "answer.has('symbol') ? answer.rawText('symbol') : undefined;",
      ],
      'accepts a token with 9 decimals': ['if (decimals > MAX_TOKEN_DECIMALS) {', 'if (decimals > 9) {'],
    },
    'gateway/answer.ts': {
      'accepts a negative balance': ['if (value < 0n)', 'if (value < -1n)'],
      'accepts an answer to another question': [
        'formatJson(this[kind](name)) !== formatJson(asked)',
        'formatJson(this[kind](name)).length !== formatJson(asked).length',
        'host/gateway/routes',
      ],
      'accepts an answer to a question that it cannot read': [
        'if (this.has(name) && ',
        'if (this.optional(name, kind) !== undefined && ',
        'host/gateway/routes',
      ],
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
      'hides the evidence against a device behind an abort': ['if (!(error instanceof NonceError)) ', ''],
      'tells the user to look at a device that shows nothing': [
        '  const { isRequired } = await planSigning(subject, signing);\n',
        '  const isRequired = false;\n',
      ],
      'lets a signer change the payment that it signs': [
        'signTransaction(copyOf(request)',
        'signTransaction(request',
        'host/flow/input',
      ],
      'lets a signer change its signature after the check': [
        'signature: Uint8Array.from(signature)',
        'signature',
        'host/flow/input',
      ],
      'signs any fee of a prepared document': [
        '  if (transaction.fee > maxFee) throw feeTooHighError(transaction.fee, maxFee);\n',
        '',
      ],
      'signs a document of a chain that the caller did not name': [
        'toHex(expectedGenesisHash) !== toHex(genesisHash)',
        'expectedGenesisHash.length !== genesisHash.length',
      ],
      'signs a fee that the nodes may not accept': [
        ' && !allowsFeeInToken)',
        ' && allowsFeeInToken)',
        'host/flow/send',
      ],
      'trusts the signature of a signer':
        '  checkSigned({ signature, transactionHash }, { genesisHash, unsigned, publicKey });\n',
      'signs a transaction that was prepared yesterday': [' < -WINDOW_SECONDS', ' > 2n * WINDOW_SECONDS'],
      'signs a transaction that is dated far in the future': [' > WINDOW_SECONDS', ' > 24n * WINDOW_SECONDS'],
    },
    'flow/document.ts': {
      'shows an escrow that is not the one that the approval names': [
        "    if (toHex(hash) !== toHex(transaction.escrowHash)) throw invalid('linked does not match the escrow hash');\n",
        '',
        'host/flow/document',
      ],
      'signs a document with an account above 2^31': [
        ' || account > BigInt(MAX_ACCOUNT_INDEX)',
        '',
        'host/flow/document',
      ],
      'reads a document of any length': [
        'if (json.length > MAX_CHARACTERS)',
        'if (json.length > 99 * MAX_CHARACTERS)',
        'host/flow/document',
      ],
      'shows the review that a document claims': [
        "  if (formatJson(fields.get('review')) !== formatJson(review)) throw",
        "  if (!fields.has('review')) throw",
      ],
      'believes the hash of a document':
        '  checkSigned(signed, { genesisHash, unsigned: encodeTransaction(transaction), publicKey });\n',
    },
    'flow/resume.ts': {
      'calls a payment expired by the time of one gateway and the reads of another': [
        '.flatMap(gateway => gateway.each ?? gateway)',
        '',
        'host/gateway/fallback',
      ],
      'calls a payment expired by the clock of one of several gateways': [
        'times.some(time => time === undefined || time < end)',
        'times.slice(0, 1).some(time => time === undefined || time < end)',
      ],
      'calls a payment expired that another gateway knows': ['found.every(', 'found.slice(0, 1).every('],
      'calls a payment expired although a gateway does not tell the time of its chain': [
        'time === undefined || time < end',
        'time !== undefined && time < end',
      ],
      'calls a payment expired by a chain whose clock is days ahead': [
        '  if (secondsOf(step.clock) < end) return false;\n',
        '',
      ],
      'calls a payment expired that a node may still confirm': [' + LAST_BLOCK_DELAY_SECONDS;', ';'],
      'sends a payment of another chain': [' || toHex(payment.genesisHash) !== toHex(genesisHash)', ''],
      'sends a payment that another program is sending': ['isInFlight === true || ', ''],
    },
    'flow/payouts.ts': {
      'keeps an order from being paid because an equal one was': ['    hold: async () => undefined,\n', ''],
      'forgets a payment that may be on the chain': [
        "hash !== undefined && sent === 'no') await",
        'hash !== undefined) await',
      ],
      'pays an order that another call pays at the same time': [
        'other !== undefined && other.hash !== entry.hash',
        'other?.hash === entry.hash',
      ],
      'pays a recipient who may have been paid without an order': [
        'open.length > 0 && open.every(',
        'open.length > 0 || open.every(',
      ],
      'pays another amount for an order that is paid': [
        'entry !== undefined && entry.payment !== paymentOf(draft)',
        'entry === null',
      ],
    },
    'flow/input.ts': {
      'pays without the message whose name is misspelt': [
        '    if (value !== undefined && !Object.hasOwn(known, name))',
        '    if (value === null && !Object.hasOwn(known, name))',
        'host/flow/input',
      ],
      'reads an amount that is a number': [
        "BIGINT = ofType('bigint')",
        'BIGINT = (value: unknown) => value',
        'host/flow/input',
      ],
      'pays the recipient that the caller has written into the draft meanwhile': [
        '{ kind, payload: copy }',
        '{ kind, payload }',
        'host/flow/input',
      ],
    },
    'flow/journal/journal.ts': {
      'lets a journal change the payment that is being made': [
        'journal.signed(copyOf(payment))',
        'journal.signed(payment)',
        'host/flow/input',
      ],
      'lets a journal change the hash that is looked up': [
        'journal.ended(copyOf(hash), end)',
        'journal.ended(hash, end)',
        'host/flow/input',
      ],
      'takes any answer of a journal for a time': [
        "if (typeof timestamp === 'bigint') return timestamp;",
        'if (timestamp !== 0) return timestamp as bigint;',
        'host/flow/input',
      ],
      'pays again a recipient who was paid another amount': [
        'return [genesisHash, encodeAccount(recipient), ...escrow].map(toHex).join();',
        "return [genesisHash, encodeAccount(recipient), ...escrow].map(toHex).join() + ('amount' in transaction ? transaction.amount : '');",
        'host/flow/unsettled',
      ],
      'refuses to decide on two escrows': [
        '? [transaction.escrowHash] : [];\n  return [genesisHash',
        '? [transaction.escrowHash.subarray(99)] : [];\n  return [genesisHash',
        'host/flow/journal/journal',
      ],
    },
  },
};
