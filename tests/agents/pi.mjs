// The real pi.
import path from 'node:path'
import { other } from './lib/others.mjs'
import { assert } from './lib/tap.mjs'
import { resumeCases, runShortSuite } from './suite.mjs'

const EXAMPLES = '../@earendil-works/pi-coding-agent/examples/extensions'

function noSessionCases(lab) {
  return [
    ['without a session file the screen proves', async () => {
      const session = lab.current
      await session.run('c', [...lab.agent.argv(lab.cli), '--no-session'], '--cwd', path.dirname(session.project))
      for (const body of ['first', 'second']) {
        const answer = await lab.sendAtRest('c', body)
        assert.match(answer.next, /proof: screen/)
        await lab.expectOneTurn(answer.seq, body)
      }
    }],
  ]
}

await runShortSuite({
  ...other('pi'),
  // pi asks nothing by itself; this extension of its own asks before it deletes.
  askingArgv: cli => [path.join(cli, 'pi'), '-e', path.resolve(cli, EXAMPLES, 'permission-gate.ts')],
  danger: 'MOCK:tool rm -rf nothing; touch approved',
  dialog: /Dangerous command:/,
  deny: 'Escape',
  again: () => ['--continue'],
  bodies: ['one line', 'twenty lines', '2 KiB', 'CJK', 'emoji', 'leading slash', 'leading bang', 'leading at',
    'the end of a paste and a command'],
}, lab => [...noSessionCases(lab), ...resumeCases(lab)])
