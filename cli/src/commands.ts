import type { CommandGroup } from './parser/command.js';

/** Every command, grouped by the kind of user who needs it and in the order of `--help`. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: 'Wallet',
    commands: [
      {
        usage: 'address',
        summary: "Print an account's address; --show also shows it on the device",
        load: () => import('./commands/account/address.js'),
      },
      {
        usage: 'accounts',
        summary: "List the device's accounts with their addresses",
        load: () => import('./commands/account/accounts.js'),
      },
      {
        usage: 'balance [address]',
        summary: "Show an account's coins and tokens",
        load: () => import('./commands/account/balance.js'),
      },
      {
        usage: 'send',
        summary: 'Send coins, approved on the device',
        load: () => import('./commands/payment/send.js'),
      },
      {
        usage: 'send-token',
        summary: 'Send a token, approved on the device',
        load: () => import('./commands/payment/send-token.js'),
      },
      {
        usage: 'escrow',
        summary: 'Approve or reject an escrow, or list the escrows of an account: approve, reject, list',
        subcommands: [
          {
            usage: 'approve <hash>',
            summary: 'Pay the recipient of an escrow, confirmed on the device',
            load: () => import('./commands/payment/escrow-decide.js').then(({ approve }) => approve),
          },
          {
            usage: 'reject <hash>',
            summary: 'Return the funds of an escrow to its sender, confirmed on the device',
            load: () => import('./commands/payment/escrow-decide.js').then(({ reject }) => reject),
          },
          {
            usage: 'list',
            summary: "List the escrows that wait for an account's decision, and those that it has opened",
            load: () => import('./commands/payment/escrow-list.js'),
          },
        ],
      },
      {
        usage: 'tx',
        summary: 'Send a transaction step by step, or decode one: build, sign, submit, decode',
        subcommands: [
          {
            usage: 'build',
            summary: 'Build a transaction, and check everything that can be checked before signing',
            load: () => import('./commands/payment/tx-build.js'),
          },
          {
            usage: 'sign [file]',
            summary: 'Sign a built transaction on the device, without a network',
            load: () => import('./commands/payment/tx-sign.js'),
          },
          {
            usage: 'submit [file]',
            summary: 'Submit a signed transaction, and wait until it is confirmed',
            load: () => import('./commands/payment/tx-submit.js'),
          },
          {
            usage: 'decode <hex>',
            summary: 'Decode unsigned transaction bytes',
            load: () => import('./commands/payment/tx-decode.js'),
          },
        ],
      },
      {
        usage: 'payments',
        summary: 'List or settle payments that may not be on the chain yet: list, resume',
        subcommands: [
          {
            usage: 'list',
            summary: 'List the payments that were signed, and are not known to be on the chain',
            load: () => import('./commands/payment/payments-list.js'),
          },
          {
            usage: 'resume',
            summary:
              'Settle the listed payments: look each up, send the same bytes again, wait for the confirmation',
            load: () => import('./commands/payment/payments-resume.js'),
          },
        ],
      },
      {
        usage: 'contact',
        summary: 'Names that the device shows beside the address: add, list, remove, export, import',
        subcommands: [
          {
            usage: 'add <name> <address>',
            summary: 'Name an account, approved on the device',
            load: () => import('./commands/contact/add.js'),
          },
          {
            usage: 'list',
            summary: 'List the contacts; --check asks the device whether it accepts each',
            load: () => import('./commands/contact/list.js'),
          },
          {
            usage: 'remove <name>',
            summary: 'Forget a contact',
            load: () => import('./commands/contact/remove.js'),
          },
          {
            usage: 'export',
            summary: 'Print the contacts of every device and chain, for a backup',
            load: () => import('./commands/contact/export.js'),
          },
          {
            usage: 'import <file>',
            summary: 'Add the contacts of a backup that the device accepts',
            load: () => import('./commands/contact/import.js'),
          },
        ],
      },
      {
        usage: 'status <hash>',
        summary: "Show a transaction's status, and the state of its escrow",
        load: () => import('./commands/payment/status.js'),
      },
      {
        usage: 'history',
        summary: 'List recent activity: transactions, rewards, unlocks and refunds',
        load: () => import('./commands/account/history.js'),
      },
      {
        usage: 'sign-message <text>',
        summary: 'Sign a text, approved on the device',
        load: () => import('./commands/account/sign-message.js'),
      },
      {
        usage: 'verify-message <text>',
        summary: 'Check the signature of a text, offline',
        load: () => import('./commands/account/verify-message.js'),
      },
    ],
  },
  {
    title: 'Chain',
    commands: [
      {
        usage: 'get <route>',
        summary: "Print the answer of one of the chain's or the gateway's routes as JSON",
        load: () => import('./commands/chain/get.js'),
      },
      {
        usage: 'node',
        summary: 'Run a node: run',
        subcommands: [
          {
            usage: 'run',
            summary: 'Run one node of a development network, until Ctrl-C',
            load: () => import('./commands/server/node-run.js'),
          },
        ],
      },
      {
        usage: 'verify <file>',
        summary: 'Check a downloaded file against the releases published on the chain',
        load: () => import('./commands/chain/verify.js'),
      },
    ],
  },
  {
    title: 'Device',
    commands: [
      {
        usage: 'devices',
        summary: 'List the devices on USB',
        load: () => import('./commands/device/devices.js'),
      },
      {
        usage: 'version',
        summary:
          "Print the versions of this program and the device's app, and the types, limits and flags of the app",
        load: () => import('./commands/device/version.js'),
      },
      {
        usage: 'udev-rules',
        summary: 'Print or install the Linux rules that let users open the device',
        load: () => import('./commands/device/udev-rules.js'),
      },
      {
        usage: 'bridge',
        summary: 'Let a page in Firefox or Safari use the signer, with your consent, until Ctrl-C',
        load: () => import('./commands/device/bridge.js'),
      },
      {
        usage: 'firmware',
        summary: 'Check firmware files against a release: verify',
        subcommands: [
          {
            usage: 'verify <file>',
            summary: 'Account for every byte of a firmware file, and print the sources it was built from',
            load: () => import('./commands/image/firmware-verify.js'),
          },
        ],
      },
      {
        usage: 'image',
        summary: 'Work on firmware images for boards: sign, verify',
        subcommands: [
          {
            usage: 'sign <file>',
            summary: "Sign a firmware image in MCUboot's format, with a version and a security counter",
            load: () => import('./commands/image/sign.js'),
          },
          {
            usage: 'verify <file>',
            summary: 'Check the signature of a signed image, and show its contents',
            load: () => import('./commands/image/verify.js'),
          },
        ],
      },
    ],
  },
  {
    title: 'Tests',
    commands: [
      {
        usage: 'demo',
        summary: 'Sign and confirm one transfer on an emulated device and a development network',
        load: () => import('./commands/emulator/demo.js'),
      },
      {
        usage: 'emulator',
        summary: 'Run an emulated device for tests, until Ctrl-C',
        load: () => import('./commands/emulator/emulator.js'),
        subcommands: [
          {
            usage: 'coverage <directory>',
            summary: 'Report which screens, decisions and refusals test runs have seen',
            load: () => import('./commands/emulator/coverage.js'),
          },
        ],
      },
      {
        usage: 'devnet',
        summary:
          'Run a development network, until Ctrl-C: a gateway with a faucet, a full and an archival node',
        load: () => import('./commands/server/devnet.js'),
      },
      {
        usage: 'faucet [address]',
        summary: 'Request coins and tokens of a development network',
        load: () => import('./commands/emulator/faucet.js'),
      },
      {
        usage: 'conformance',
        summary: 'Test that a signer behaves like the emulator: every golden case, screen and refusal',
        load: () => import('./commands/emulator/conformance.js'),
      },
      {
        usage: 'trace',
        summary: 'Show or repeat a recorded session of the emulator: open, replay, test',
        subcommands: [
          {
            usage: 'open <file>',
            summary:
              'Show the screens, presses, commands, replies and times of a trace; --html writes a page',
            load: () => import('./commands/trace/open.js'),
          },
          {
            usage: 'replay <file>',
            summary: 'Repeat a session, with another firmware too, and name the first step that differs',
            load: () => import('./commands/trace/replay.js'),
          },
          {
            usage: 'test <file>',
            summary: 'Print a trace as a test for Jest, Vitest, node:test or pytest',
            load: () => import('./commands/trace/as-test.js'),
          },
        ],
      },
      {
        usage: 'gallery <files..>',
        summary: 'Draw every screen of every review on one HTML page',
        load: () => import('./commands/gallery/gallery.js'),
      },
    ],
  },
  {
    title: 'Operators and shells',
    commands: [
      {
        usage: 'gateway',
        summary: 'Run a gateway in front of nodes, until Ctrl-C',
        load: () => import('./commands/server/gateway.js'),
        subcommands: [
          {
            usage: 'init [file]',
            summary: "Write a gateway's configuration with a new admin key",
            load: () => import('./commands/server/gateway-init.js'),
          },
          {
            usage: 'check',
            summary: 'Check a configuration, and whether its gateway answers',
            load: () => import('./commands/server/gateway-check.js'),
          },
        ],
      },
      {
        usage: 'completion <shell>',
        summary: 'Print the script that completes commands in bash, zsh or fish',
        load: () => import('./parser/completion.js'),
      },
    ],
  },
];
