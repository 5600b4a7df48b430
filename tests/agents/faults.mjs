// Something happens between two steps of a typing into the real agents: they die, a person presses a
// key or resizes, the program is stopped, the server is killed; Claude Code begins a turn by itself, or
// asks in it, when a background task ends. See tests/cli/faults.py, which does the same with demo agents.
//
// FAULTS_POINTS (or `all`), FAULTS_AGENTS, FAULTS_KINDS: comma-separated, run these.

import fs from 'node:fs'
import path from 'node:path'
import { Unreachable } from './lib/cli.mjs'
import { other } from './lib/others.mjs'
import { assert, eventually, runCases, skipAll, sleep } from './lib/tap.mjs'
import { Lab } from './suite.mjs'

const AGENTS = {
  claude: {
    name: 'faults-claude',
    argv: cli => [path.join(cli, 'claude'), '--permission-mode', 'default', '--allowedTools', 'Bash(until:*)'],
    dialog: /Do you want to proceed\?/,
    deny: 'Escape',
  },
  codex: { name: 'faults-codex', argv: cli => [path.join(cli, 'codex')] },
  // By FAULTS_AGENTS only.
  pi: { ...other('pi'), name: 'faults-pi' },
  gemini: { ...other('gemini'), name: 'faults-gemini' },
  opencode: { ...other('opencode'), name: 'faults-opencode' },
}
const POINTS = ['claim_due', 'claimed', 'held', 'paste_due', 'pasted', 'echoed', 'settled', 'cr_due', 'sent', 'proved',
  'stored']
// The writes, and what is nearest to them; all points take a quarter of an hour.
const SOME_POINTS = ['paste_due', 'pasted', 'cr_due', 'sent']
// So many cases of these share a session: the keeper bears five crashes in a row, and each death of an agent doubles
// the time to its respawn.
const CASES_MAX = { kill: 4, die: 3 }
// The person's x in the composer, alone or behind our text.
const KEY = /(^|[>❯›│|┃].*)x\s*[│|]?\s*$/m

const chosen = (name, all) => process.env[name]?.split(',') ?? all
const points = process.env.FAULTS_POINTS === 'all' ? POINTS : chosen('FAULTS_POINTS', SOME_POINTS)
const MEET = '(touch MEET; until [ -e MEET.go ]; do sleep 0.01; done)'

// What the server does at the point; what a person does at that moment, and afterwards.
const KINDS = {
  key: {
    command: MEET,
    person: ['type', 'a', 'x'],
    async putRight(session) {
      await session.waitScreen('a', KEY)
      await sleep(1000)
      await session.keys('a', 'Backspace')
    },
  },
  enter: { command: MEET, person: ['keys', 'a', 'Enter'] },
  resize: { command: MEET, person: ['resize', 'a', '90x30'], putRight: session => session.must('resize', 'a', '80x24') },
  stop: { command: 'kill -STOP PID; (sleep 3; kill -CONT PID) &' },
  // The task's description says what the mock does in the turn that its end begins.
  turn: { command: MEET, task: () => 'MOCK:slow 3', agents: ['claude'] },
  dialog: {
    command: MEET,
    task: forbidden => `MOCK:tool touch ${forbidden} #`,
    agents: ['claude'],
    async putRight(session, { agent, forbidden }) {
      await session.waitScreen('a', agent.dialog)
      await sleep(1500)
      assert.match(await session.screen('a'), agent.dialog)
      await session.keys('a', agent.deny)
      await sleep(500)
      assert.ok(!fs.existsSync(forbidden), 'the dialog was answered')
    },
  },
  kill: { command: 'kill' },
  die: { command: 'kill -KILL PID; sleep 0.1', dies: true },
}

class Faulty {
  constructor(agent, lab) {
    this.agent = agent
    this.lab = lab
    this.cases = 0
    this.number = 0
  }

  // A session whose server has the faults; a new one when that has borne enough.
  async ready(kind) {
    if (!this.session || ++this.cases > (CASES_MAX[kind] ?? Infinity)) {
      this.cases = 1
      this.session = await this.lab.session(`s${++this.number}`)
      this.faults = path.join(this.lab.folder, `s${this.number}`, 'fault')
      this.session.program = path.join(this.lab.build, 'tests/faults/bellhop')
      Object.assign(this.session.env, { BELLHOP_LIBEXECDIR: this.lab.build, BELLHOP_TEST_FAULTS: this.faults })
      await this.session.run('a', this.agent.argv(this.lab.cli), '--cwd', this.session.project, '--respawn', 'always',
        '--size', '80x24')
    }
    await this.session.waitIdle('a')
    // A draft that a case before has left would be in the way.
    await sleep(300)
  }

  async run(point, kind) {
    await this.ready(kind)
    const { session, faults } = this
    const { command, person, putRight, dies, task } = KINDS[kind]
    const meet = `${faults}.${point}.${kind}`
    this.forbidden = `${meet}.forbidden`
    if (task) await this.startTask(`${meet}.task`, task(this.forbidden))
    const { pid } = await session.terminal('a')
    const body = `at ${point}: ${kind}`
    fs.rmSync(`${faults}.log`, { force: true })
    fs.writeFileSync(`${faults}.new`, `${point} ${command.replaceAll('MEET', meet).replaceAll('PID', String(pid))}`)
    fs.renameSync(`${faults}.new`, faults)
    const sending = session.send('a', body)
    sending.catch(() => {})
    await eventually(`the point ${point}`, () => !fs.existsSync(faults))
    if (person) await this.meet(meet, () => this.ask(person))
    if (task) await this.meet(meet, () => this.endTask(`${meet}.task`))
    await putRight?.(session, this)
    const answer = await sending
    assert.ok(answer.delivered || (answer.reason && answer.terminal === 'queued'), JSON.stringify(answer))
    if (dies) await eventually('a successor', async () => ![undefined, pid].includes((await session.terminal('a'))?.pid), 60000)
    await this.seen(answer.seq)
    await this.expectTurns(answer.seq, body, dies)
  }

  // While the server stands still a person's command reaches its socket, or a task ends.
  async meet(meet, happen) {
    await eventually('the server waits', () => fs.existsSync(meet))
    const done = await happen()
    fs.writeFileSync(`${meet}.go`, '')
    const { status, err } = await done.acting
    assert.equal(status, 0, err)
  }

  async ask(person) {
    const acting = this.session.bellhop(person)
    await sleep(150)
    return { acting }
  }

  // A task in the background that ends when told to; the agent is idle meanwhile.
  async startTask(file, description) {
    const call = { command: `until [ -e ${file} ]; do sleep 0.05; done`, description, run_in_background: true }
    const answer = await this.session.send('a', `MOCK:call Bash ${JSON.stringify(call).replace('MOCK:', '\\u004dOCK:')}`)
    await this.seen(answer.seq)
    await eventually('the answer', () => !this.lab.isWorking())
    await this.session.waitIdle('a')
  }

  // Until the turn that this begins shows, or the dialog in it.
  async endTask(file) {
    const before = this.lab.mock.records.length
    fs.writeFileSync(file, '')
    await eventually('a turn by itself', () => this.lab.mock.records.slice(before).some(r => r.ev === 'start' && r.main))
    await sleep(1500)
    return { acting: { status: 0 } }
  }

  seen(seq) {
    return eventually(async () => `m${seq} seen: ${JSON.stringify(await this.session.receipt(`m${seq}`))}`, async () => {
      const { status, out } = await this.session.bellhop(['receipt', '--json', `m${seq}`])
      return status === 0 && JSON.parse(out).steps.at(-1).step === 'seen'
    }, 90000, 250)
  }

  async expectTurns(seq, body, dies) {
    await this.session.waitIdle('a')
    if (!dies) return this.lab.expectOneTurn(seq, body)
    // One for each of the two: the first may have died in that turn. None: two attempts ended before the Enter, and it
    // was read behind a notice.
    const turns = this.lab.turnsWith(seq).length
    assert.ok(turns <= 2, `${turns} turns`)
  }

  async evidence() {
    const server = path.join(this.lab.folder, `s${this.number}`, 'state/default/server.log')
    const tail = fs.existsSync(server) ? fs.readFileSync(server, 'utf8').split('\n').slice(-30) : []
    return [await this.session.evidence(['a']), `points: ${fs.readFileSync(`${this.faults}.log`, 'utf8')}`, ...tail].join('\n')
  }
}

const build = process.env.BELLHOP_TEST_BUILDDIR
assert.ok(build, 'run by make check-agents')
assert.ok(fs.existsSync(path.join(build, 'tests/faults/bellhop')), 'built by make check-agents')

try {
  const cases = []
  const labs = []
  let current
  for (const name of chosen('FAULTS_AGENTS', ['claude', 'codex'])) {
    const lab = await Lab.start(AGENTS[name], build)
    const faulty = new Faulty(AGENTS[name], lab)
    labs.push(lab)
    for (const kind of chosen('FAULTS_KINDS', Object.keys(KINDS))) {
      if (KINDS[kind].agents?.includes(name) === false) continue
      for (const point of points) {
        cases.push([`${name}: ${kind} at ${point}`, () => { current = faulty; return faulty.run(point, kind) }])
      }
    }
  }
  const failed = await runCases(cases, () => current.evidence())
  for (const lab of labs) {
    await lab.current?.stop()
    await lab.mock.close()
  }
  process.exit(failed ? 1 : 0)
} catch (e) {
  if (!(e instanceof Unreachable)) throw e
  skipAll(`the agents cannot be installed: ${e.message}`)
}
