// The cases of one real agent, run by claude.mjs and codex.mjs, which say what is special about it:
//
//   { name, argv(cli), askingArgv(cli), other(cli), askForTouch, trust: {pattern, keys}, dialog, deny }
//
// Everything is offline and headless: no client is ever attached. The mock's records are the truth
// about what became a user turn.

import fs from 'node:fs'
import path from 'node:path'
import { cleanEnv, installClis, makeHome, Unreachable } from './lib/cli.mjs'
import { Session } from './lib/session.mjs'
import { assert, eventually, runCases, skipAll, sleep } from './lib/tap.mjs'
import { startMock } from './mock/mock-model.mjs'

const HEADER = 'from the operator:'

// Bodies by name; each must arrive as one user turn, exactly.
const BODIES = {
  'one line': 'a single line',
  'three lines': 'first\nsecond\n  third, indented',
  'twenty lines': Array.from({ length: 20 }, (_, i) => `line ${i + 1} of twenty`).join('\n'),
  '2 KiB': 'abcdefgh '.repeat(250).slice(0, 2048 - 200).trim(),
  CJK: '日本語の本文です。\n한국어 문장\n中文内容，宽字符',
  'leading slash': '/model is not a command here',
  'leading bang': '!touch not-run',
  'leading hash': '#not a memory',
  'leading at': '@not-a-file',
  'leading question mark': '?',
}

// The paste wrapper that Claude Code puts around longer pastes.
function unwrapped(text) {
  return text.replace(/^<pasted_content id="[^"]*">\n([\s\S]*)\n<\/pasted_content id="[^"]*">$/, '$1').trim()
}

// A screen without what blinks on it.
const still = screen => screen.replace(/[●◦•]/g, ' ')

const typedText = (seq, from, body) =>
  [`Mail m${seq} ${from}`, ...body.split('\n').map(line => `| ${line}`)].join('\n')

class Lab {
  static async start(agent, build) {
    const lab = new Lab()
    lab.agent = agent
    lab.build = build
    lab.cli = path.join(await installClis(build), 'node_modules/.bin')
    lab.mock = await startMock()
    lab.folder = path.join(build, 'agents', agent.name)
    fs.rmSync(lab.folder, { recursive: true, force: true })
    return lab
  }

  // A session whose agents start in a trusted folder, or in one that asks first. It is the current
  // one from now on: mail numbers begin anew with it.
  async session(name, trusted = true) {
    await this.current?.stop()
    this.recordsFrom = this.mock.records.length
    const folder = path.join(this.folder, name)
    const home = path.join(folder, 'home')
    const project = await makeHome(home, this.mock.port, { trusted })
    const session = new Session(this.build, folder, cleanEnv(home, this.mock.port))
    session.project = project
    this.current = session
    return session
  }

  // The turns that users began with a text that holds mail number seq.
  turnsWith(seq) {
    return this.mock.records.slice(this.recordsFrom).filter(r => r.ev === 'start' && r.main && r.results === 0 &&
      new RegExp(`Mail m${seq} `).test(r.text))
  }

  async expectOneTurn(seq, body, from = HEADER) {
    await eventually(`a turn with m${seq}`, () => this.turnsWith(seq).length > 0)
    const turns = this.turnsWith(seq)
    assert.equal(turns.length, 1, `m${seq} began ${turns.length} turns`)
    assert.equal(unwrapped(turns[0].text), typedText(seq, from, body))
  }

  // The turns that began with a notice.
  notices() {
    return this.mock.records.slice(this.recordsFrom).filter(r => r.ev === 'start' && r.main && r.results === 0 &&
      /^Mail n\d+:/.test(unwrapped(r.text)))
  }

  isWorking() {
    const open = new Set()
    for (const r of this.mock.records) {
      if (r.ev === 'start' && r.main) open.add(r.id)
      else if (r.ev === 'end') open.delete(r.id)
    }
    return open.size > 0
  }
}

function expectTyped(answer) {
  assert.deepEqual(
    [answer.delivered, answer.delivery_path, answer.terminal, answer.will_be_seen, answer.status],
    [true, 'terminal', 'typed', 'already', 0], JSON.stringify(answer))
}

function expectQueued(answer, reasons, willBeSeen) {
  assert.deepEqual([answer.delivered, answer.terminal, answer.will_be_seen],
    [false, 'queued', willBeSeen], JSON.stringify(answer))
  assert.ok(reasons.includes(answer.reason), JSON.stringify(answer))
}

async function expectSeenLater(session, answer) {
  await eventually(async () => `m${answer.seq} typed: ${JSON.stringify(await session.receipt(`m${answer.seq}`))}`,
    async () => (await session.receipt(`m${answer.seq}`)).steps.some(s => s.step === 'typed'), 30000)
}

// --- the cases ---

function startupCases(lab) {
  let session
  return [
    ['a start-up dialog is left to the person, mail waits and is typed after it', async () => {
      session = await lab.session('fresh', false)
      await session.run('fresh', lab.agent.argv(lab.cli), '--cwd', session.project)
      await session.waitScreen('fresh', lab.agent.trust.pattern)
      const before = await session.screen('fresh')
      const answer = await session.send('fresh', 'wait for me')
      assert.equal(answer.terminal, 'queued', JSON.stringify(answer))
      await sleep(3000)
      assert.equal(still(await session.screen('fresh')), still(before))
      for (const key of lab.agent.trust.keys) await session.keys('fresh', key)
      await expectSeenLater(session, answer)
      await lab.expectOneTurn(answer.seq, 'wait for me')
    }],
  ]
}

function typingCases(lab) {
  const session = () => lab.current
  const cases = Object.entries(BODIES).map(([name, body]) => [`idle: ${name} is typed and proved`, async () => {
    await session().waitIdle('a')
    const answer = await session().send('a', body)
    expectTyped(answer)
    await lab.expectOneTurn(answer.seq, body)
  }])
  return [
    ['the agent starts headless and becomes idle', async () => {
      await lab.session('main')
      await session().run('a', lab.agent.askingArgv(lab.cli), '--cwd', session().project, '--respawn', 'always')
      await session().waitIdle('a')
    }],
    ...cases,
    ['no body ran as a command', async () => {
      assert.ok(!fs.existsSync(path.join(session().project, 'not-run')))
    }],
  ]
}

function waitingCases(lab) {
  const session = () => lab.current
  return [
    ['working: queued, then typed once after the turn', async () => {
      await session().waitIdle('a')
      expectTyped(await session().send('a', 'MOCK:slow 6'))
      await eventually('the model at work', () => lab.isWorking())
      const answer = await session().send('a', 'after the turn')
      expectQueued(answer, ['working'], 'when_free')
      assert.ok(lab.isWorking(), 'the turn was over before the send was answered')
      assert.equal(lab.turnsWith(answer.seq).length, 0)
      await expectSeenLater(session(), answer)
      await lab.expectOneTurn(answer.seq, 'after the turn')
    }],
    ['permission dialog: queued, the dialog untouched, typed after the person', async () => {
      await session().waitIdle('a')
      expectTyped(await session().send('a', `MOCK:${lab.agent.askForTouch} touch approved`))
      await session().waitScreen('a', lab.agent.dialog)
      await sleep(1500)
      const before = await session().screen('a')
      const answer = await session().send('a', 'y yes 1 do not approve')
      expectQueued(answer, ['awaiting', 'dialog'], 'needs_a_person')
      await sleep(3000)
      assert.equal(still(await session().screen('a')), still(before))
      assert.ok(!fs.existsSync(path.join(session().project, 'approved')))
      await session().keys('a', lab.agent.deny)
      await expectSeenLater(session(), answer)
      await lab.expectOneTurn(answer.seq, 'y yes 1 do not approve')
      assert.ok(!fs.existsSync(path.join(session().project, 'approved')))
    }],
    ['a draft stays untouched and the message waits', async () => {
      await session().waitIdle('a')
      await session().type('a', 'my half a thought')
      await session().waitScreen('a', /my half a thought/)
      await sleep(3500)
      const answer = await session().send('a', 'not into the draft')
      expectQueued(answer, ['draft'], 'needs_a_person')
      await sleep(3000)
      assert.match(await session().screen('a'), /my half a thought\s*\n/)
      assert.equal(lab.turnsWith(answer.seq).length, 0)
      await session().keys('a', 'C-u')
      await expectSeenLater(session(), answer)
      await lab.expectOneTurn(answer.seq, 'not into the draft')
    }],
    ['20 of 20 sends to the idle agent are typed and proved', async () => {
      for (let i = 1; i <= 20; i++) {
        await session().waitIdle('a')
        const answer = await session().send('a', `number ${i} of 20`)
        expectTyped(answer)
        await lab.expectOneTurn(answer.seq, `number ${i} of 20`)
      }
    }],
    ['a respawned agent gets the mail that came meanwhile', async () => {
      await session().waitIdle('a')
      const { terminal_id: old } = await session().terminal('a')
      await session().must('kill', '--signal', 'KILL', 'a')
      const answer = await session().send('a', 'to the next of you')
      assert.equal(answer.delivered, false)
      await expectSeenLater(session(), answer)
      await lab.expectOneTurn(answer.seq, 'to the next of you')
      assert.notEqual((await session().terminal('a')).terminal_id, old)
    }],
  ]
}

// A starts B with its own shell tool; a person approves that if the agent asks. B sends to A while A
// works; A gets one notice without the text, and reads it, without a dialog.
function orchestratorCases(lab) {
  const session = () => lab.current
  return [
    ['orchestrator: A starts B from its shell tool', async () => {
      await lab.session('team')
      await session().run('a', lab.agent.askingArgv(lab.cli), '--cwd', session().project)
      await session().waitIdle('a')
      const start = `bellhop run --name b --headless --cwd ${session().project} -- ${lab.agent.other(lab.cli).join(' ')}`
      await session().send('a', `MOCK:tool ${start}`)
      await eventually('terminal b', async () => {
        if (lab.agent.dialog.test(await session().screen('a'))) await session().keys('a', 'Enter')
        return session().terminal('b')
      }, 30000, 1000)
      await session().waitIdle('a')
      await session().waitIdle('b')
      const b = await session().terminal('b')
      assert.equal(b.started_by, 'a')
      assert.equal((await session().terminal('a')).mode, 'notice')
    }],
    ['orchestrator: B sends while A works; A gets one notice and reads it without a dialog', async () => {
      await session().type('a', 'MOCK:slow 8')
      await session().waitScreen('a', /MOCK:slow 8/)
      await session().keys('a', 'Enter')
      await eventually('the model at work', () => lab.isWorking())
      const before = lab.notices().length
      await session().send('b', 'MOCK:tool bellhop send a "the secret result"')
      await expectNoticeRead(lab, 'a', 'the secret result', before)
    }],
  ]
}

// The mail with that body in it was read by name, which got exactly one notice for it.
async function expectNoticeRead(lab, name, body, before) {
  await eventually(`the mail of ${name} read`, async () => {
    const history = JSON.parse(await lab.current.must('history', '--json', name))
    return history.messages.some(m => m.to === name && m.body.includes(body) && m.state === 'seen')
  }, 60000, 500)
  const rung = lab.notices().slice(before)
  assert.equal(rung.length, 1, `${rung.length} notices`)
  assert.ok(!rung[0].text.includes(body))
  await lab.current.waitIdle(name)
  await sleep(1000)
  assert.equal(lab.notices().length, before + 1)
}

// As the agent starts without any option: reading the inbox must not need a person.
function defaultPermissionCases(lab) {
  return [
    ['under default permissions a notice is read without a dialog', async () => {
      const session = await lab.session('default')
      await session.run('a', lab.agent.argv(lab.cli), '--cwd', session.project, '--mode', 'notice')
      await session.waitIdle('a')
      const before = lab.notices().length
      const answer = await session.send('a', 'read me by yourself')
      assert.deepEqual([answer.delivery_path, answer.notice], ['notice', 'typed'], JSON.stringify(answer))
      await expectNoticeRead(lab, 'a', 'read me by yourself', before)
    }],
  ]
}

export async function runSuite(agent) {
  const build = process.env.BELLHOP_TEST_BUILDDIR
  assert.ok(build, 'run by make check-agents')
  let lab
  try {
    lab = await Lab.start(agent, build)
  } catch (e) {
    if (!(e instanceof Unreachable)) throw e
    skipAll(`the agents cannot be installed: ${e.message}`)
    return
  }
  const cases = [startupCases, typingCases, waitingCases, defaultPermissionCases, orchestratorCases]
    .flatMap(casesOf => casesOf(lab))
  const failed = await runCases(cases, () => lab.current.evidence(['a', 'b', 'fresh']))
  await lab.current?.stop()
  await lab.mock.close()
  process.exit(failed ? 1 : 0)
}
