// Real agents that end while they hold mail, and are started again as the session that they were, or as
// another one: what the record of the session holds is not typed a second time, all else is.

import childProcess from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Unreachable } from './lib/cli.mjs'
import { assert, eventually, runCases, skipAll, sleep } from './lib/tap.mjs'
import { Lab } from './suite.mjs'

const execFile = promisify(childProcess.execFile)

const AGENTS = [
  {
    name: 'resume-claude',
    argv: cli => [path.join(cli, 'claude')],
    resume: cli => [path.join(cli, 'claude'), '--continue'],
    records: '.claude/projects',
    clear: '/clear',
  },
  {
    name: 'resume-codex',
    argv: cli => [path.join(cli, 'codex')],
    resume: cli => [path.join(cli, 'codex'), 'resume', '--last'],
    records: '.codex/sessions',
    clear: '/new',
  },
]

// Longer than it takes to kill it, on any machine.
const TURN_S = 60

class Resumed {
  constructor(lab) {
    this.lab = lab
  }

  async start() {
    this.session = await this.lab.session('main')
    const folder = path.join(this.lab.folder, 'main')
    this.faults = path.join(folder, 'fault')
    this.records = path.join(folder, 'home', this.lab.agent.records)
    this.session.program = path.join(this.lab.build, 'tests/faults/bellhop')
    Object.assign(this.session.env, { BELLHOP_LIBEXECDIR: this.lab.build, BELLHOP_TEST_FAULTS: this.faults })
    await this.run(this.lab.agent.argv)
    // A session without a turn is none that can be resumed.
    const { seq } = await this.session.send('a', 'the first turn')
    await this.lab.expectOneTurn(seq, 'the first turn')
  }

  async run(argv) {
    await this.session.run('a', argv(this.lab.cli), '--cwd', this.session.project)
    await this.session.waitIdle('a')
  }

  async explain(name) {
    return JSON.parse(await this.session.must('explain', '--json', name))
  }

  async respawn(...options) {
    await this.session.must('respawn', ...options, 'a')
    await this.session.waitIdle('a')
  }

  // A first turn of a terminal, so that it has a session.
  async beginTurn(name, body) {
    const { seq } = await this.session.send(name, body)
    await this.lab.expectOneTurn(seq, body)
    await this.session.waitIdle(name)
  }

  // The turns that began with the text of mail number seq. After a turn that was cut the model hears that one's text
  // before the next: the last counts.
  turns(seq) {
    return this.lab.turnsWith(seq).filter(r => r.text.match(/Mail m\d+ /g).at(-1) === `Mail m${seq} `).length
  }

  async steps(seq) {
    return (await this.session.receipt(`m${seq}`)).steps
  }

  // A shell's command that ends when the record has the mail.
  inRecord(seq) {
    return `until grep -rqF 'Mail m${seq} ' ${this.records}; do sleep 0.05; done`
  }

  async die() {
    process.kill((await this.session.terminal('a')).pid, 'SIGKILL')
    await eventually('the end of a', async () => [undefined, 'exited'].includes((await this.session.terminal('a'))?.state))
  }

  // What an agent had that is gone is unread.
  async gone(seq) {
    await eventually(async () => `m${seq} unread: ${JSON.stringify(await this.session.receipt(`m${seq}`))}`,
      async () => (await this.session.receipt(`m${seq}`)).state === 'unread')
  }

  // It dies in the turn that took the mail.
  async dieInTurn(body) {
    await this.session.waitIdle('a')
    const answer = await this.session.send('a', `MOCK:slow ${TURN_S} ${body}`)
    // It is typed when the send is answered or, if the agent stirred by itself, once that rests. The agent's hook
    // proves it a moment before its record and its model have it.
    await eventually(`the model has m${answer.seq}`, () => this.turns(answer.seq) === 1)
    await eventually(`m${answer.seq} in the record`, () => execFile('sh', ['-c', this.inRecord(answer.seq)]).then(() => true))
    await this.die()
    await this.gone(answer.seq)
    return answer.seq
  }

  // It dies while a typing stands at the point, after the shell's command came to its end.
  async dieAt(point, body, command = () => 'true') {
    await this.session.waitIdle('a')
    const { pid } = await this.session.terminal('a')
    const last = JSON.parse(await this.session.must('history', '--json', 'a')).messages.at(-1).seq
    fs.writeFileSync(`${this.faults}.new`, `${point} ${command(last + 1)}; kill -KILL ${pid}; sleep 0.2`)
    fs.renameSync(`${this.faults}.new`, this.faults)
    const { seq } = await this.session.send('a', body)
    assert.equal(seq, last + 1)
    await eventually(`the point ${point}`, () => !fs.existsSync(this.faults))
    await this.gone(seq)
    return seq
  }

  // Seen, by what; the agent's model has got it as often as that.
  async expectSeen(seq, proof, ...turns) {
    await eventually(async () => `m${seq} seen: ${JSON.stringify(await this.steps(seq))}`,
      async () => (await this.steps(seq)).at(-1).step === 'seen', 60000, 250)
    const steps = await this.steps(seq)
    assert.match(steps.findLast(s => s.step === 'typed').cause, proof, JSON.stringify(steps))
    await eventually(`${turns} turns with m${seq}`, () => turns.includes(this.turns(seq)))
  }
}

const RECORD = /^resumed session's record$/
const PROOF = /^(hook|transcript|rollout)/

function casesOf(it) {
  const { lab } = it
  return [
    ['a session with a turn', () => it.start()],
    ['died in the turn, resumed: not typed again, the next mail is', async () => {
      const seq = await it.dieInTurn('of the first')
      await it.run(lab.agent.resume)
      await it.expectSeen(seq, RECORD, 1)
      const later = await it.session.send('a', 'news')
      await it.expectSeen(later.seq, PROOF, 1)
      assert.equal(it.turns(seq), 1)
    }],
    ['died with it in the record, before that was read; resumed: not typed again', async () => {
      const seq = await it.dieAt('sent', `MOCK:slow ${TURN_S} before the proof`, number => it.inRecord(number))
      await it.run(lab.agent.resume)
      await it.expectSeen(seq, RECORD, 0, 1)
    }],
    ['died before the Enter, resumed: typed', async () => {
      const seq = await it.dieAt('cr_due', 'before the Enter')
      await it.run(lab.agent.resume)
      await it.expectSeen(seq, PROOF, 1)
    }],
    // Its command line says --continue, or --last, which would be the other's.
    ['respawn --resume: its own session, though another in the folder is newer', async () => {
      await it.session.run('b', lab.agent.argv(lab.cli), '--cwd', it.session.project)
      await it.session.waitIdle('b')
      await it.beginTurn('b', 'the first turn of another')
      const seq = await it.dieInTurn('to be resumed')
      const { session_record: other } = await it.explain('b')
      await it.session.must('kill', '--signal', 'KILL', 'b')
      await it.respawn('--resume')
      const explained = await it.explain('a')
      assert.ok(explained.resumed, explained.text)
      assert.notEqual(explained.session_record, other)
      await it.expectSeen(seq, RECORD, 1)
      await it.beginTurn('a', 'go on')
      assert.equal(it.turns(seq), 1)
      assert.equal((await it.explain('a')).session_record, explained.session_record)
      assert.ok(!(await it.explain('a')).resumed)
    }],
    ['the session after one was left, and a server that was killed', async () => {
      const { session_record: left } = await it.explain('a')
      await it.session.type('a', lab.agent.clear)
      await eventually(`${lab.agent.clear} in the composer`, async () => (await it.explain('a')).composer === 'draft')
      // The list that it opens may take the first Enter, and the composer look empty in between.
      await eventually(`${lab.agent.clear} is done`, async () => {
        if ((await it.explain('a')).composer !== 'empty') {
          await it.session.keys('a', 'Enter')
          return false
        }
        await sleep(2000)
        return (await it.explain('a')).composer === 'empty'
      }, 30000, 1000)
      await it.beginTurn('a', 'the first turn after that')
      const { session_record: record } = await it.explain('a')
      assert.notEqual(record, left)
      process.kill(JSON.parse(await it.session.must('server', 'status', '--json')).pid, 'SIGKILL')
      await it.session.waitIdle('a')
      await it.respawn('--resume', '--force')
      assert.equal((await it.explain('a')).session_record, record)
      assert.match(await it.session.screen('a'), /the first turn after that/)
    }],
    ['a policy that resumes', async () => {
      await it.die()
      await it.session.must('forget', 'a')
      await it.session.run('a', lab.agent.argv(lab.cli), '--cwd', it.session.project, '--respawn', 'always', '--resume')
      await it.session.waitIdle('a')
      await it.beginTurn('a', 'before the end')
      const { terminal_id: id, session_record: record } = await it.explain('a')
      process.kill((await it.session.terminal('a')).pid, 'SIGKILL')
      await eventually('a successor', async () => {
        const terminal = await it.session.terminal('a')
        return terminal?.terminal_id !== id && terminal?.state === 'idle'
      }, 60000)
      const explained = await it.explain('a')
      assert.ok(explained.resumed, explained.text)
      assert.equal(explained.session_record, record)
      await it.die()
      await it.session.must('forget', 'a')
      await it.run(lab.agent.argv)
    }],
    ['died in the turn, started afresh in the same folder: typed again', async () => {
      await it.session.waitIdle('a')
      await it.die()
      await it.run(lab.agent.argv)
      const seq = await it.dieInTurn('of the last')
      await it.run(lab.agent.argv)
      await it.expectSeen(seq, PROOF, 2)
    }],
  ].map(([name, run]) => [`${lab.agent.name.replace('resume-', '')}: ${name}`, () => { current = it; return run() }])
}

let current
const build = process.env.BELLHOP_TEST_BUILDDIR
assert.ok(build, 'run by make check-agents')
assert.ok(fs.existsSync(path.join(build, 'tests/faults/bellhop')), 'built by make check-agents')

try {
  const labs = []
  const cases = []
  for (const agent of AGENTS) {
    labs.push(await Lab.start(agent, build))
    cases.push(...casesOf(new Resumed(labs.at(-1))))
  }
  const failed = await runCases(cases, () => current.session.evidence(['a']))
  for (const lab of labs) {
    await lab.current?.stop()
    await lab.mock.close()
  }
  process.exit(failed ? 1 : 0)
} catch (e) {
  if (!(e instanceof Unreachable)) throw e
  skipAll(`the agents cannot be installed: ${e.message}`)
}
