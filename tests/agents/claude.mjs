// The real Claude Code.
import path from 'node:path'
import { runSuite } from './suite.mjs'

await runSuite({
  name: 'claude',
  argv: cli => [path.join(cli, 'claude')],
  // Asks before each command; without it Claude Code decides by itself (auto mode).
  askingArgv: cli => [path.join(cli, 'claude'), '--permission-mode', 'default'],
  other: cli => [path.join(cli, 'codex')],
  askForTouch: 'tool',
  // The marked answer is "No, exit".
  trust: { pattern: /Yes, I trust this folder/, keys: ['Down', 'Enter'] },
  dialog: /Do you want to proceed\?/,
  deny: 'Escape',
  hasLoop: true,
  hasHooks: true,
})
