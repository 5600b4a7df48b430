// The real OpenCode.
import path from 'node:path'
import { other } from './lib/others.mjs'
import { resumeCases, runShortSuite } from './suite.mjs'

await runShortSuite({
  ...other('opencode'),
  askingArgv: cli => [path.join(cli, 'opencode')],
  askForTouch: 'tool',
  dialog: /Permission required/,
  deny: 'Escape',
  again: () => ['--continue'],
  bodies: ['one line', 'twenty lines', 'CJK', 'leading bang', 'leading at', 'the end of a paste and a command'],
}, resumeCases)
