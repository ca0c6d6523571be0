import type { Module } from '../fault.js';

/** Faults in the access to a device from a browser, and in the journal that tabs share. */
export const web: Module = {
  name: 'web',
  guards: 'docs/WALLET.md#several-tabs-of-a-page',
  guardsBy: {
    'activity-index.ts': 'docs/WALLET.md#movements-of-an-account',
    'devices.ts': 'docs/WALLET.md#several-devices',
    'report-devices.ts': 'docs/APDU.md#hid',
    'emulator-transport.ts': 'docs/WALLET.md#connect',
    'indexed-db-journal.ts': 'docs/WALLET.md#your-own-journal',
    'database.ts': 'docs/WALLET.md#your-own-journal',
    'indexed-db-contacts.ts': 'docs/WALLET.md#pay-to-a-contact',
    'bridge.ts': 'docs/BRIDGE.md#requests',
    'loopback.ts': 'docs/BRIDGE.md#requests',
  },
  directory: 'web/src',
  tests: ['web/report-devices'],
  testsBy: {
    'activity-index.ts': ['web/activity-index'],
    'bridge.ts': ['web/bridge'],
    'database.ts': ['web/indexed-db-journal'],
    'emulator-transport.ts': ['web/report-devices', 'web/emulator-transport'],
    'lease.ts': ['web/shared-signer'],
    'shared-signer.ts': ['web/shared-signer', 'wallet/wallet'],
    'loopback.ts': ['web/emulator-transport'],
  },
  faults: {
    'activity-index.ts': {
      'trusts the stored blocks of another gateway': [" ${gateway.urls.join(' ')}`", '`'],
    },
    'devices.ts': {
      'opens the first device instead of the chosen one': [
        'present.includes(device) ? device : present.find(isNext)',
        'present[0]',
      ],
      'opens another signer that was plugged in again': [
        '(other.serialNumber !== undefined || !this.#hadSeveral.has(kind))',
        'true',
      ],
      'opens a device that was plugged in beside the chosen one': [
        '(this.#goneAt.get(device) ?? Number.POSITIVE_INFINITY) &&',
        '0 &&',
      ],
      'forgets when a device was plugged in': [' else if (!this.#seenAt.has(device))', ' else'],
      'opens one of two devices after a reload without asking': [
        'return other === undefined ? found : undefined;',
        'return found ?? other;',
      ],
      'opens another product of the same maker as the signer': [' && productId === this.#ids.productId', ''],
      'opens a device after a reload that the user has told it to forget': [
        'this.#browser.storage?.removeItem(REMEMBERED);',
        '',
      ],
    },
    'emulator-transport.ts': {
      'hands the review to an emulator of another machine': ['    !LOOPBACK.test(url.hostname) ||\n', ''],
      'takes localhost.evil.example for this machine': [String.raw`|\[::1\])$/`, String.raw`|\[::1\])/`],
    },
    'report-devices.ts': {
      'takes the HID interface away from the browser': [
        'one.alternates[0]?.interfaceClass === VENDOR_CLASS && ',
        '',
      ],
      'fails a review when another device is unplugged': [
        "if (event.device === this.device)\n        onLost(new Error('the browser reports that the device was unplugged'));\n    };\n    this.device",
        "onLost(new Error('the browser reports that the device was unplugged'));\n    };\n    this.device",
      ],
    },
    'indexed-db-journal.ts': {
      'forgets a payment that another tab may have sent': ['if (calls === 0)', 'if (calls >= 0)'],
      'signs two equal payments of two tabs with one timestamp, of which the chain makes one': [
        ' || keys.has(timestampKey(payment, timestamp))',
        '',
      ],
      'sends a payment that was withdrawn in another tab': [
        '        if (wasFound && kept === undefined) return false;\n',
        '',
      ],
      'sends a held payment once it was signed again': ['          wasHeld(kept),\n', '          false,\n'],
      'believes an entry that holds another payment':
        "    if (toHex(payment.transactionHash) !== hash) throw new Error('its transaction has a different hash');\n",
      'sends a document while another payment to its recipient may be made': [
        'if (findUnsettled(await this.pending(), payment).length === 0)',
        'if (payment.signature.length > 0)',
        'wallet/journal',
      ],
      'frees a timestamp that nodes still accept': ['KEPT_SECONDS = 86_400n', 'KEPT_SECONDS = 60n'],
      'sends a payment again that another tab is sending': [
        'isInFlight: sending.has',
        'isInFlight: !sending.has',
      ],
      'forgets that a payment may have been sent': ['keptBroadcastState(known.sent)', "'no'"],
    },
    'indexed-db-contacts.ts': {
      'takes contacts that the browser cannot read for none': [
        'throw contactsError(`the contacts of this browser cannot be ${done}`, cause);',
        'return undefined as never;',
      ],
    },
    'database.ts': {
      'sends a payment that a power cut takes out of the journal': [
        "durability: 'strict'",
        "durability: 'relaxed'",
      ],
      'sends a payment before it is in the journal': ['        await ended;\n', ''],
      'writes an entry later than it says, after the payment was given up': [
        'setTimeout(() => abort(transaction), this.answerMs)',
        'setTimeout(() => {}, this.answerMs)',
      ],
    },
    'lease.ts': {
      'takes the device away from a tab during its review': ['{ ifAvailable: true });', '{ steal: true });'],
      'gives the device away during a review': [
        '    await this.events.finish().catch(() => undefined);\n',
        '',
      ],
      'takes the device away from a tab that answers': ['this.#onHeard = () => clearTimeout(timer);', ''],
    },
    'shared-signer.ts': {
      'begins a review while another tab waits for the device': ['this.#isLeaving || ', ''],
      'runs two pieces of work at once': ['    this.#last = result.catch(() => undefined);\n', ''],
      'does not tell after a reload that a review is open': ['    this.#record.begin(title);\n', ''],
      'uses a device that the user has closed': ['      if (this.#isClosed) throw closedError();\n', ''],
    },
    'bridge.ts': {
      'talks to any program that listens on the port of the bridge': [
        " || code !== (await bridgeCode(key, 'opened', nonce, session))",
        '',
      ],
      'shows the address of whoever answered in place of the bridge':
        "    if (answer.code !== (await bridgeCode(key, 'reply', session, counter, reply))) throw falseCodeError();\n",
      'lets a program on the machine repeat a request of the page': [
        '(current.counter += 1)',
        '(current.counter = 1)',
      ],
      'accepts a pairing whose key is shorter than 32 bytes': [
        'isHex(key, KEY_BYTES);\n    if',
        'isHex(key, String(key).length / 2);\n    if',
      ],
    },
    'loopback.ts': {
      'lets a redirection send a command to another machine': ["redirect: 'error'", "redirect: 'follow'"],
      'reads an answer without end': ['text.length > MAX_LENGTH', 'text.length > MAX_LENGTH ** 3'],
    },
  },
};

/** Faults in the state of the wallet page, and in the page that answers other pages. */
export const wallet: Module = {
  name: 'wallet',
  guards: 'docs/gateway/routes.md#wallet-page',
  guardsBy: {
    'connect/asking-page.ts': 'docs/CONNECT.md#what-an-attacker-can-do',
    'connect/allowed-pages.ts': 'docs/CONNECT.md#what-the-user-sees',
  },
  directory: 'wallet/page',
  tests: ['wallet/wallet'],
  testsBy: {
    'activity.ts': ['wallet/activity'],
    'connect/asking-page.ts': ['wallet/asking-page'],
    'connect/allowed-pages.ts': ['wallet/asking-page'],
    'words.ts': ['wallet/journal'],
  },
  faults: {
    'chain.ts': {
      'signs for another chain once the gateway serves one': [
        'rememberedChain(wallet) ?? chain.genesisHash',
        'chain.genesisHash',
      ],
    },
    'payments.ts': {
      'sends a document for the chain before while the gateway serves another': [
        'if (own !== its || isChainChanged(wallet.state))',
        'if (own !== its)',
      ],
      'sends a document of another chain': [
        'if (own !== its || isChainChanged(wallet.state))',
        'if (isChainChanged(wallet.state))',
        'wallet/journal',
      ],
      'prepares a payment for the chain of the gateway instead of the chain of the page': [
        'maxFee: MAX_FEE, expectedGenesisHash };',
        'maxFee: MAX_FEE };',
      ],
      'pays with the first account instead of the chosen one': [
        'account: index, contacts',
        'account: 0, contacts',
      ],
      'pays a contact without the proof of its name': [
        'account: index, contacts });',
        'account: index });',
        'wallet/contacts',
      ],
      'pays without the contact once the device has refused it': [
        'signTransaction(prepared, { ...signing, signer }), {',
        'signTransaction(prepared, { ...options, signer }).catch(() => signTransaction({ ...prepared, contacts: undefined }, { ...options, signer })), {',
        'wallet/contacts',
      ],
      'pays a recipient again whose payment is in a file': [
        '  await wallet.journal.keepHeld(signed);\n',
        '',
        'wallet/journal',
      ],
      'offers to send a payment again that another tab is sending': [
        'isInFlight !== true && ',
        '',
        'wallet/journal',
      ],
      'offers to send the unsettled payments of another chain': [
        ' && toHex(payment.genesisHash) === genesisHash',
        '',
        'wallet/journal',
      ],
      'drops the outcome of a payment before the user has seen it': [
        '[...unseen, ...resumed',
        '[...resumed',
        'wallet/journal',
      ],
    },
    'contacts.ts': {
      'shows a name whose proof the device refuses': [
        'if (await device.checkContact(contact))',
        'if ((await device.checkContact(contact)) !== undefined)',
      ],
      'adds a name of a file that no device has approved': [
        'contact => device.checkContact(contact)',
        'async contact => contact.proof.length > 0',
      ],
      'asks the device about a contact that another tab has added': [
        '  checkNewContact(wallet.state, { name, account });\n  const review',
        '  const review',
      ],
      'gives two addresses one name': ['if (isTaken)', 'if (false)'],
      'keeps a contact that was registered again beside the one that the device refuses': [
        '{ replaces: isTaken }',
        '{}',
      ],
    },
    'words.ts': {
      'says of a payment in a file that sending it again changes nothing': ['if (isHeld) {', 'if (!sent) {'],
    },
    'signer.ts': {
      'shows names without the device': [
        '  wallet.change({ contacts: [], unprovedContacts: [] });\n',
        '',
        'wallet/contacts',
      ],
      'calls an address confirmed that another signer has shown':
        '  if (toHex(shown.publicKey) !== toHex(publicKey)) throw otherAccountError();\n',
      'hands out a signature of another account':
        '  if (!verify(signed.signature, message, publicKey)) throw otherAccountError();\n',
    },
    'accounts.ts': {
      'lists the accounts of the device before under the device now': [
        'if (signer === state.signer && state.accounts[0] === found[0])',
        'if (found.length > 0)',
      ],
      'ends the search for accounts before one that has coins': ['const GAP = 5;', 'const GAP = 4;'],
      'shows a balance that the chain no longer reports': [
        'account.balance = balance ?? {',
        'account.balance ??= balance ?? {',
        'wallet/wallet',
      ],
      'shows accounts without the signer although the user turned that off': [
        "isOn ? keys.join() : ''",
        'keys.join()',
      ],
    },
    'state.ts': {
      'reports a gateway whose last answer failed as fine': [
        'return state.chainError ?? shownAccount(state)?.error;',
        'return state.chainError;',
      ],
    },
    'payment-link.ts': {
      'pays ZBC for a link that asks for a token': ['if (!isKnown || ', 'if ('],
      'pays one of two amounts of a link': [' || new Set(names).size < names.length', ''],
      'pays an amount that a long link has lost': [' || link.length > MAX_LENGTH', ''],
    },
    'format.ts': {
      'shows a token that is called ZBC like coins': [
        'if (tokenId === COIN) return',
        "if (tokenId === COIN || tokens.some(({ id, symbol }) => id === tokenId && symbol === 'ZBC')) return",
      ],
      'shows atomic units of an unknown token as whole tokens': [' atomic units`', '`'],
      'rounds an amount of 64 bits': ['.format(text as ', '.format(Number(text) as never as '],
      'reads 1,500 as 1.5 in a language with a decimal point': ['return isComma ?', 'return !isComma ?'],
    },
    'activity.ts': {
      'shows a payment as income': ["isIn ? '+' : '−'", "isIn ? '−' : '+'"],
      'hides the commission from the account that earns it': [
        "if (escrow !== undefined && recipient !== own) details.push(['Commission'",
        "if (escrow !== undefined && sender === own) details.push(['Commission'",
      ],
    },
    'connect/asking-page.ts': {
      'answers a page that did not open the window': ['source !== opener || ', ''],
      'takes a request from a page that the network can forge': [
        'if (!ASKABLE.test(origin))',
        "if (origin === '')",
      ],
      'takes http://localhost.evil.example for this machine': ['(?::|$))/', ')/'],
      'takes a page for safe because https stands somewhere in its origin': ['= /^(?:https', '= /(?:https'],
      'lets a page change its request after the user has read it': [
        "        removeEventListener('message', receive);\n",
        '',
      ],
      'asks for another amount than the page': ['parseCoins(asked.amount)', 'parseCoins(asked.amount) / 10n'],
      'lets a page write the question by an amount that nobody can pay': [
        'describeAsked(asked), port',
        '[asked.method], port',
      ],
      'answers a request twice': ['    this.#isAnswered = true;\n', ''],
    },
    'connect/allowed-pages.ts': {
      'gives an address to a page that the user has removed': [
        '.filter(([other]) => other !== origin)',
        '.filter(([other]) => other === origin)',
      ],
      'forgets the pages allowed before when another page is allowed': [
        'new Map(this.all).set(origin, address)',
        'new Map([[origin, address]])',
      ],
    },
  },
};

/** Faults in the package with which a page asks a wallet. */
export const connect: Module = {
  name: 'connect',
  guards: 'docs/CONNECT.md#what-an-attacker-can-do',
  guardsBy: {
    'signed-text.ts': 'docs/CONNECT.md#the-signed-text',
    'protocol.ts': 'docs/CONNECT.md#requests',
    'reports a payment as not sent although the window was closed after the approval':
      'docs/CONNECT.md#errors',
    'reports a payment as unknown whose outcome has arrived': 'docs/CONNECT.md#errors',
  },
  directory: 'connect/src',
  tests: ['connect/connect-window'],
  testsBy: { 'protocol.ts': ['connect/signed-text'] },
  faults: {
    'connect-window.ts': {
      'gives the request to another window than the one that it opened': ['source !== opened || ', ''],
      'gives the request to a page of another origin in the window of the wallet': [
        'origin !== url.origin || ',
        '',
      ],
      'posts the request to whatever page the window shows now': [
        '(asked, url.origin, [given])',
        "(asked, '*', [given])",
      ],
      'gives the request to a page that is not a wallet': [' || data !== CONNECT_READY', ''],
      'opens two windows for two requests, and the user approves both': ['    isAsking = true;\n', ''],
      'asks nothing more after a failed request': ['      isAsking = false;\n', ''],
      'accepts the signature of another message': [
        'if (parts.message !== message)',
        'if (parts.message === "")',
      ],
      'reports a payment as not sent although the window was closed after the approval': [
        "isPayment ? 'maybe' : 'no'",
        "'no'",
      ],
      'reports a payment as unknown whose outcome has arrived': ['if (wasClosed) {', 'if (opened!.closed) {'],
      'asks for a signature over a text that it would reject': [
        '    formatSignedText({ origin: location.origin, time: new Date().toISOString(), nonce, message });\n',
        '',
      ],
      'loses the reason and the fate of a failed payment': [', data.error.sent)', ')'],
    },
    'signed-text.ts': {
      'signs a user in with the text for another page': [
        "['origin', 'nonce'] as const",
        "['nonce'] as const",
      ],
      'signs a user in twice with one text': ["['origin', 'nonce'] as const", "['origin'] as const"],
      'accepts a text that only contains the form of a signed text': ['}$`).exec', '}`).exec'],
      'accepts a nonce that can be guessed': ['{8,64}', '{1,64}'],
      'lets a message write the lines of the header': ['Origin: ([!-~]+)', 'Origin: ([^]+)'],
      'asks for a text that no device signs': [' || text.length > MAX_LENGTH', ''],
      'asks for letters that no device shows': ['[\\n -~]+', '[\\n -\\u00ff]+'],
      'reads the characters of a list as a text': [
        "(text: unknown): SignedTextParts {\n  if (typeof text !== 'string' || ",
        '(text: string): SignedTextParts {\n  if (',
      ],
    },
    'protocol.ts': {
      'takes an inherited property for a request': ['Object.hasOwn(FIELDS, method)', '(method in FIELDS)'],
      'lets a page name the recipient of its payment': [
        'return { method, ...',
        'return { ...Object(data), method, ...',
      ],
      'takes an amount that is not a text': ["typeof value === 'string' && value", 'String(value)'],
      'reads a field of any length': [' && value.length <= MAX_FIELD', ''],
    },
  },
};
