import { type CommandGroup, row } from './parser/command.js';

const account = () => import('./commands/account.js');
const payment = () => import('./commands/payment.js');
const escrow = () => import('./commands/escrow.js');
const tx = () => import('./commands/tx.js');
const payments = () => import('./commands/payments.js');
const contact = () => import('./commands/contact.js');
const history = () => import('./commands/history.js');
const chain = () => import('./commands/chain.js');
const node = () => import('./commands/node.js');
const device = () => import('./commands/device.js');
const firmware = () => import('./commands/firmware.js');
const image = () => import('./commands/image.js');
const demo = () => import('./commands/demo.js');
const emulator = () => import('./commands/emulator.js');
const devnet = () => import('./commands/devnet.js');
const conformance = () => import('./commands/conformance.js');
const trace = () => import('./commands/trace.js');
const gateway = () => import('./commands/gateway.js');
const completion = () => import('./parser/completion.js');

/** Every command, grouped by the kind of user who needs it and in the order of `--help`. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: 'Wallet',
    commands: [
      row('address', "Print an account's address; --show also shows it on the device", account),
      row('accounts', "List the device's accounts with their addresses", account),
      row('balance [address]', "Show an account's coins and tokens", account),
      row('send', 'Send coins, approved on the device', payment),
      row('send-token', 'Send a token, approved on the device', payment),
      row(
        'escrow',
        'Approve or reject an escrow, or list the escrows of an account: approve, reject, list',
        escrow,
        [
          ['approve <hash>', 'Pay the recipient of an escrow, confirmed on the device'],
          ['reject <hash>', 'Return the funds of an escrow to its sender, confirmed on the device'],
          ['list', "List the escrows that wait for an account's decision, and those that it has opened"],
        ],
      ),
      row('tx', 'Send a transaction step by step, or decode one: build, sign, submit, decode', tx, [
        ['build', 'Build a transaction, and check everything that can be checked before signing'],
        ['sign [file]', 'Sign a built transaction on the device, without a network'],
        ['submit [file]', 'Submit a signed transaction, and wait until it is confirmed'],
        ['decode <hex>', 'Decode unsigned transaction bytes'],
      ]),
      row('payments', 'List or settle payments that may not be on the chain yet: list, resume', payments, [
        ['list', 'List the payments that were signed, and are not known to be on the chain'],
        [
          'resume',
          'Settle the listed payments: look each up, send the same bytes again, wait for the confirmation',
        ],
      ]),
      row(
        'contact',
        'Names that the device shows beside the address: add, list, remove, export, import',
        contact,
        [
          ['add <name> <address>', 'Name an account, approved on the device'],
          ['list', 'List the contacts; --check asks the device whether it accepts each'],
          ['remove <name>', 'Forget a contact'],
          ['export', 'Print the contacts of every device and chain, for a backup'],
          ['import <file>', 'Add the contacts of a backup that the device accepts'],
        ],
      ),
      row('status <hash>', "Show a transaction's status, and the state of its escrow", payment),
      row(
        'history',
        'List the recent activity of an account: transactions, rewards, unlocks and refunds',
        history,
      ),
      row('sign-message <text>', 'Sign a text, approved on the device', account),
      row('verify-message <text>', 'Check the signature of a text, offline', account),
      row(
        'verify-nonce <file>',
        'Check the evidence that a device hid data in a signature, offline',
        account,
      ),
    ],
  },
  {
    title: 'Chain',
    commands: [
      row('get <route>', "Print the answer of one of the chain's or the gateway's routes as JSON", chain),
      row('node', 'Run a node: run', node, [['run', 'Run one node of a development network, until Ctrl-C']]),
      row('verify <file>', 'Check a downloaded file against the releases published on the chain', chain),
    ],
  },
  {
    title: 'Device',
    commands: [
      row('devices', 'List the devices on USB', device),
      row(
        'version',
        "Print the versions of this program and the device's app, and the types, limits and flags of the app",
        device,
      ),
      row('udev-rules', 'Print or install the Linux rules that let users open the device', device),
      row(
        'bridge',
        'Let a page in Firefox or Safari use the signer, with your consent, until Ctrl-C',
        device,
      ),
      row('firmware', 'Check firmware files against a release: verify', firmware, [
        [
          'verify <file>',
          'Look a firmware file up in a signed release, and print the sources it was built from',
        ],
      ]),
      row('image', 'Work on firmware images for boards: sign, verify', image, [
        ['sign <file>', "Sign a firmware image in MCUboot's format, with a version and a security counter"],
        ['verify <file>', 'Check the signature of a signed image, and show its contents'],
      ]),
    ],
  },
  {
    title: 'Tests',
    commands: [
      row('demo', 'Sign and confirm one transfer on an emulated device and a development network', demo),
      row('emulator', 'Run an emulated device for tests, until Ctrl-C', emulator, [
        ['coverage <directory>', 'Report which screens, decisions and refusals test runs have seen'],
      ]),
      row(
        'devnet',
        'Run a development network, until Ctrl-C: a gateway with a faucet, a full and an archival node',
        devnet,
      ),
      row('faucet [address]', 'Request coins and tokens of a development network', devnet),
      row(
        'conformance',
        'Test that a signer behaves like the emulator: every golden case, screen and refusal',
        conformance,
      ),
      row('trace', 'Show or repeat a recorded session of the emulator: open, replay, test', trace, [
        [
          'open <file>',
          'Show the screens, presses, commands, replies and times of a trace; --html writes a page',
        ],
        [
          'replay <file>',
          'Repeat a session, with another firmware too, and name the first step that differs',
        ],
        ['test <file>', 'Print a trace as a test for Jest, Vitest, node:test or pytest'],
      ]),
    ],
  },
  {
    title: 'Operators and shells',
    commands: [
      row('gateway', 'Run a gateway in front of nodes, until Ctrl-C', gateway, [
        ['init [file]', "Write a gateway's configuration with a new admin key"],
        ['check', 'Check a configuration, and whether its gateway answers'],
      ]),
      row('completion <shell>', 'Print the script that completes commands in bash, zsh or fish', completion),
    ],
  },
];
