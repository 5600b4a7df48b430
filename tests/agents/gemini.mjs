// The real Gemini CLI.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { other } from './lib/others.mjs'
import { resumeCases, runShortSuite } from './suite.mjs'

const PROFILE = fileURLToPath(new URL('../../src/agent/profiles/gemini.json', import.meta.url))

// It takes an Enter right behind the text for a line end, and the text stays in its composer.
function swallowedCases(lab) {
  return [
    ['an Enter that became a line end is followed by one more, and the text is sent once', async () => {
      const session = await lab.session('hasty')
      const folder = path.join(session.env.XDG_CONFIG_HOME, 'bellhop/profiles')
      const profile = JSON.parse(fs.readFileSync(PROFILE, 'utf8'))
      fs.mkdirSync(folder, { recursive: true })
      fs.writeFileSync(path.join(folder, 'gemini.json'),
        JSON.stringify({ ...profile, typing: { ...profile.typing, settle_ms: 0, proof_limit_ms: 2000 } }))
      await session.run('a', lab.agent.argv(lab.cli), '--cwd', session.project)
      let swallowed = 0
      for (let i = 1; i <= 3 && !swallowed; i++) {
        const answer = await lab.sendAtRest('a', `in haste, ${i}`)
        await lab.expectOneTurn(answer.seq, `in haste, ${i}`)
        swallowed += (await session.receipt(`m${answer.seq}`)).steps.filter(s => s.step === 'unproved').length
      }
      // Where each step takes long, none does.
      console.log(`# ${swallowed ? 'one' : 'no'} Enter became a line end`)
    }],
  ]
}

await runShortSuite({
  ...other('gemini'),
  askingArgv: cli => [path.join(cli, 'gemini')],
  askForTouch: 'tool',
  // The choice that is marked trusts the folder.
  trust: { pattern: /Do you trust the files in this folder\?/, keys: ['Enter'] },
  dialog: /Allow execution of/,
  deny: 'Escape',
  again: record => ['--resume', JSON.parse(fs.readFileSync(record, 'utf8').split('\n')[0]).sessionId],
  bodies: ['one line', 'twenty lines', 'CJK', 'leading slash', 'leading bang', 'leading at', 'the end of a paste and a command'],
}, lab => [...resumeCases(lab), ...swallowedCases(lab)])
