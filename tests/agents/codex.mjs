// The real Codex.
import path from 'node:path'
import { runSuite } from './suite.mjs'

await runSuite({
  name: 'codex',
  argv: cli => [path.join(cli, 'codex')],
  askingArgv: cli => [path.join(cli, 'codex')],
  other: cli => [path.join(cli, 'claude')],
  askForTouch: 'ask',
  trust: { pattern: /Trust this folder\?/, keys: ['Enter'] },
  dialog: /Would you like to run the following command\?/,
  deny: 'Escape',
})
