// The cases of one real agent, run by claude.mjs and codex.mjs, which say what is special about it:
//
//   { name, argv(cli), askingArgv(cli), other(cli), askForTouch, trust: {pattern, keys}, dialog, deny,
//     hasLoop }
//
// The main ones of them are run for other agents (pi.mjs …), which install and configure themselves:
//
//   { name, argv(cli), askingArgv(cli), dialog, deny, danger, clear, install(build), makeHome, cleanEnv }
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
  'one byte': 'x',
  emoji: '🎉 👩‍🚀 🏳️‍🌈 👍🏽',
  'right to left': 'שלום עולם مرحبا',
  'a paste placeholder': 'see [Pasted text #1 +10 lines] and [Pasted Content 1200 chars]',
  'a working sign': '✻ Brewing… (3s · esc to interrupt)\n• Working (3s • esc to interrupt)',
  'a dialog': 'Do you want to proceed?\n❯ 1. Yes\n  2. No\nEsc to cancel',
}

// Bodies that lose something on the way, and what is left of them.
const STRIPPED = {
  'the end of a paste and a command': ['a\x1b[201~\r/exit\r', 'a[201~\n/exit'],
  'control characters': ['a\x03b\x04c\x1b\x1bd\x7f', 'abcd'],
  'bidi controls': ['a\u202eevil\u202c \u2066b\u2069', 'aevil b'],
}

// The paste wrapper that Claude Code puts around longer pastes.
function unwrapped(text) {
  return text.replace(/^<pasted_content id="[^"]*">\n([\s\S]*)\n<\/pasted_content id="[^"]*">$/, '$1').trim()
}

// A screen without what blinks on it.
const still = screen => screen.replace(/[●◦•]/g, ' ')

// The screen once it has come to rest: some agents draw all of it anew while they start.
export async function stillScreen(session, name) {
  let seen = ''
  await eventually('a screen that rests', async () => {
    const before = seen
    seen = still(await session.screen(name))
    return seen === before
  }, 60000, 1500)
  return seen
}

// Why mail waits for an agent that stirs by itself, and how often it is sent anew then.
const STIRS = ['starting', 'working', 'unknown_state']
const TRIES_MAX = 3

// A dialog of the agent is as it was, and mail is not on its screen. What stands above may still be drawn: banners of a
// slow start.
async function expectUntouched(session, name, dialog, before, body) {
  const of = screen => still(screen).split('\n').slice(screen.split('\n').findIndex(row => dialog.test(row)))
  const now = await session.screen(name)
  assert.match(now, dialog)
  assert.deepEqual(of(now), of(before))
  assert.ok(!now.includes(body), now)
}

const typedText = (seq, from, body) =>
  [`Mail m${seq} ${from}`, ...body.split('\n').map(line => `| ${line}`)].join('\n')

export class Lab {
  static async start(agent, build) {
    const lab = new Lab()
    lab.agent = agent
    lab.build = build
    lab.cli = path.join(await (agent.install ?? installClis)(build), 'node_modules/.bin')
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
    const project = await (this.agent.makeHome ?? makeHome)(home, this.mock.port, { trusted })
    const env = (this.agent.cleanEnv ?? cleanEnv)(home, this.mock.port, this.cli)
    const session = new Session(this.build, folder, env)
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
    // The first turn of an agent loads much.
    await eventually(`a turn with m${seq}`, () => this.turnsWith(seq).length > 0, 180000)
    const turns = this.turnsWith(seq)
    assert.equal(turns.length, 1, `m${seq} began ${turns.length} turns`)
    assert.equal(unwrapped(turns[0].text), typedText(seq, from, body))
  }

  // The turns that began with a notice.
  notices() {
    return this.mock.records.slice(this.recordsFrom).filter(r => r.ev === 'start' && r.main && r.results === 0 &&
      /^Mail n\d+:/.test(unwrapped(r.text)))
  }

  // Send to an agent that rests: it is typed and proved at once. By itself an agent may stir between the look and the
  // send, above all on a loaded machine; what was sent then is typed once it rests, and it is tried again.
  async sendAtRest(name, body, left = body) {
    for (let tries = 1; ; tries++) {
      await this.current.waitRest(name)
      const answer = await this.current.send(name, body)
      if (tries === TRIES_MAX || answer.terminal !== 'queued' || !STIRS.includes(answer.reason)) {
        expectTyped(answer)
        return answer
      }
      console.log(`# m${answer.seq}: ${name} stirs (${answer.reason})`)
      await expectSeenLater(this.current, answer)
      await this.expectOneTurn(answer.seq, left)
    }
  }

  // End the turns of MOCK:hold.
  release() {
    this.mock.release()
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

// Typed, or about to be, or out and not proved yet: on a loaded machine a program that has just started has not read
// all yet.
function expectNoticed(answer) {
  assert.deepEqual([answer.delivery_path, answer.will_be_seen], ['notice', 'when_free'], JSON.stringify(answer))
  assert.ok(['typed', 'queued', 'joined'].includes(answer.notice), JSON.stringify(answer))
}

async function expectSeenLater(session, answer) {
  await eventually(async () => `m${answer.seq} typed: ${JSON.stringify(await session.receipt(`m${answer.seq}`))}`,
    async () => (await session.receipt(`m${answer.seq}`)).steps.some(s => s.step === 'typed'), 120000)
}

// --- the cases ---

function startupCases(lab) {
  let session
  return [
    ['a start-up dialog is left to the person, mail waits and is typed after it', async () => {
      session = await lab.session('fresh', false)
      await session.run('fresh', lab.agent.argv(lab.cli), '--cwd', session.project)
      await session.waitScreen('fresh', lab.agent.trust.pattern)
      const before = await stillScreen(session, 'fresh')
      const answer = await session.send('fresh', 'wait for me')
      assert.equal(answer.terminal, 'queued', JSON.stringify(answer))
      await sleep(3000)
      await expectUntouched(session, 'fresh', lab.agent.trust.pattern, before, 'wait for me')
      for (const key of lab.agent.trust.keys) await session.keys('fresh', key)
      await expectSeenLater(session, answer)
      await lab.expectOneTurn(answer.seq, 'wait for me')
    }],
  ]
}

function typingCases(lab) {
  const session = () => lab.current
  const bodies = [...Object.entries(BODIES).map(([name, body]) => [name, body, body]),
    ...Object.entries(STRIPPED).map(([name, [body, left]]) => [name, body, left])]
    .filter(([name]) => !lab.agent.bodies || lab.agent.bodies.includes(name))
  const cases = bodies.map(([name, body, left]) => [`idle: ${name} is typed and proved`, async () => {
    const answer = await lab.sendAtRest('a', body, left)
    await lab.expectOneTurn(answer.seq, left)
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

// Its ways to the server work, its hooks (if it has any) told of its turns, its profile knows it.
export async function expectHealthy(lab, name) {
  const { status, out } = await lab.current.bellhop(['doctor', '--json'])
  const { problems, findings } = JSON.parse(out)
  const of = (check, about) => findings.filter(f => f.check === check && f.about.startsWith(about))
  assert.deepEqual([status, problems], [0, 0], out)
  assert.deepEqual(of('agent', name).map(f => f.level), ['works'], out)
  assert.match(of('agent', name)[0].says, lab.agent.hasHooks ? /its hooks are heard/ : /reach the server$/)
  assert.deepEqual(of('profile', lab.agent.name).map(f => f.level), ['works'], out)
}

function waitingCases(lab) {
  const session = () => lab.current
  return [
    ['working: queued, then typed once after the turn', async () => {
      await lab.sendAtRest('a', 'MOCK:hold')
      await eventually('the model at work', () => lab.isWorking())
      const answer = await session().send('a', 'after the turn')
      expectQueued(answer, ['working'], 'when_free')
      await sleep(3000)
      assert.ok(lab.isWorking())
      assert.equal(lab.turnsWith(answer.seq).length, 0)
      lab.release()
      await expectSeenLater(session(), answer)
      await lab.expectOneTurn(answer.seq, 'after the turn')
    }],
    ['permission dialog: queued, the dialog untouched, typed after the person', async () => {
      await lab.sendAtRest('a', lab.agent.danger ?? `MOCK:${lab.agent.askForTouch} touch approved`)
      await session().waitScreen('a', lab.agent.dialog)
      await eventually('state awaiting', async () => (await session().terminal('a')).state === 'awaiting')
      const before = await stillScreen(session(), 'a')
      const answer = await session().send('a', 'y yes 1 do not approve')
      expectQueued(answer, ['awaiting', 'dialog'], 'needs_a_person')
      await sleep(3000)
      await expectUntouched(session(), 'a', lab.agent.dialog, before, 'y yes 1 do not approve')
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
      await eventually('no hands of a person', async () => !/keys of a person/.test(await session().explain('a')))
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
        const answer = await lab.sendAtRest('a', `number ${i} of 20`)
        await lab.expectOneTurn(answer.seq, `number ${i} of 20`)
      }
    }],
    ['doctor finds nothing wrong with it', () => expectHealthy(lab, 'a')],
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

// Beside the first in its folder, as it starts without any option: reading the inbox must not need a person.
function noticeCases(lab) {
  return [
    ['a notice to another in the same folder is read without a dialog', async () => {
      const session = lab.current
      await session.run('b', lab.agent.argv(lab.cli), '--cwd', session.project, '--mode', 'notice')
      await session.waitIdle('b')
      const before = lab.notices().length
      const answer = await session.send('b', 'read me by yourself')
      expectNoticed(answer)
      await expectNoticeRead(lab, 'b', 'read me by yourself', before)
    }],
  ]
}

// A person types the agent at the prompt of a shell: it is watched, and never typed into.
function shellCases(lab) {
  const session = () => lab.current
  const watched = name => session().terminal('sh').then(t => t.watched === name)
  const command = argv => argv.map(word => `'${word}'`).join(' ')
  return [
    ['typed into a shell it is watched, gets no mail typed, and is forgotten when it ends', async () => {
      await lab.session('shell')
      await session().run('sh', ['bash', '--norc', '--noprofile'], '--cwd', session().project, '--size', '100x30')
      await session().type('sh', command(lab.agent.askingArgv(lab.cli)))
      await session().keys('sh', 'Enter')
      await eventually(`${lab.agent.name} watched`, () => watched(lab.agent.name))
      await session().waitIdle('sh')
      const answer = await session().send('sh', 'secret words')
      assert.deepEqual([answer.delivered, answer.reason, answer.status], [false, 'typing_off', 3], JSON.stringify(answer))
      assert.match(answer.warning, /typed into a shell/)
      // Its state is seen as that of any other; mail that waits is not typed when it comes to rest.
      await session().type('sh', 'MOCK:hold')
      await session().waitScreen('sh', /MOCK:hold/)
      await session().keys('sh', 'Enter')
      await eventually('the model at work', () => lab.isWorking())
      await eventually('state working', async () => (await session().terminal('sh')).state === 'working')
      lab.release()
      await session().waitIdle('sh')
      await session().type('sh', `MOCK:${lab.agent.askForTouch} touch approved`)
      await session().waitScreen('sh', /touch approved/)
      await session().keys('sh', 'Enter')
      await session().waitScreen('sh', lab.agent.dialog)
      await eventually('state awaiting', async () => (await session().terminal('sh')).state === 'awaiting')
      await session().keys('sh', lab.agent.deny)
      await session().waitIdle('sh')
      // Found again by a server that was started anew.
      await session().must('upgrade')
      await eventually('watched after an upgrade', () => watched(lab.agent.name))
      await session().waitIdle('sh')
      await sleep(1500)
      assert.equal(lab.turnsWith(answer.seq).length, 0)
      assert.doesNotMatch(await session().screen('sh'), /secret words/)
      // The end.
      await eventually('a shell again', async () => {
        await session().keys('sh', 'C-c')
        return watched(null)
      }, 60000, 500)
      await sleep(1000)
      assert.doesNotMatch(await session().screen('sh'), /secret words/)
      assert.equal(lab.turnsWith(answer.seq).length, 0)
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
      }, 120000, 1000)
      await session().waitIdle('a')
      await session().waitIdle('b')
      const b = await session().terminal('b')
      assert.equal(b.started_by, 'a')
      assert.equal((await session().terminal('a')).mode, 'notice')
    }],
    ['orchestrator: B sends while A works; A gets one notice and reads it without a dialog', async () => {
      await session().type('a', 'MOCK:hold')
      await session().waitScreen('a', /MOCK:hold/)
      await session().keys('a', 'Enter')
      await eventually('the model at work', () => lab.isWorking())
      const before = lab.notices().length
      await session().send('b', 'MOCK:tool bellhop send a "the secret result"')
      await eventually('mail for a', async () => (await session().terminal('a')).unread > 0)
      await sleep(1000)
      assert.equal(lab.notices().length, before)
      lab.release()
      await expectNoticeRead(lab, 'a', 'the secret result', before)
    }],
    ['orchestrator: A hears that a turn of B failed, and that B ended', async () => {
      await session().waitIdle('b')
      await session().send('b', 'MOCK:error 400', '--no-wait')
      await expectLetter(lab, 'a', 'A turn of b ended in an error')
      await session().must('kill', '--signal', 'KILL', 'b')
      await expectLetter(lab, 'a', 'b was ended by the signal SIGKILL')
    }],
  ]
}

// bellhop has written that to name.
async function expectLetter(lab, name, text) {
  await eventually(`a letter to ${name} with: ${text}`, async () => {
    const history = JSON.parse(await lab.current.must('history', '--json', name))
    return history.messages.some(m => m.from === 'bellhop' && m.to === name && m.body.includes(text))
  }, 120000, 500)
}

// Two agents that answer each other, each with a new message and no reference to the one before.
function loopCases(lab) {
  const session = () => lab.current
  return [
    ['two agents that answer each other for ever stop waking each other, and are told', async () => {
      await lab.session('loop')
      await session().run('a', lab.agent.argv(lab.cli), '--cwd', session().project)
      await session().run('b', lab.agent.other(lab.cli), '--cwd', session().project)
      await session().waitIdle('a')
      await session().waitIdle('b')
      await session().send('a', 'MOCK:tool bellhop send b pingpong', '--no-wait')
      await eventually('a loop that is stopped', async () => {
        const { parked } = JSON.parse(await session().must('parked', '--json'))
        return parked.some(p => p.reason === 'loop')
      }, 400000, 1000)
      const { messages } = JSON.parse(await session().must('history', '--json', '--limit', '200'))
      assert.equal(messages.filter(m => m.body.trim() === 'pingpong').length, 50)
      const last = messages.filter(m => m.body.trim() === 'pingpong').at(-1)
      assert.equal(last.state, 'unread')
      assert.ok(messages.some(m => m.from === 'bellhop' && m.to === last.to), 'the recipient is not told')
      // A person acts.
      await session().must('ring', last.to)
      await expectSeenLater(session(), last)
    }],
  ]
}

// The mail with that body in it was read by name, which got exactly one notice for it.
async function expectNoticeRead(lab, name, body, before) {
  await eventually(`the mail of ${name} read`, async () => {
    const history = JSON.parse(await lab.current.must('history', '--json', name))
    return history.messages.some(m => m.to === name && m.body.includes(body) && m.state === 'seen')
  }, 120000, 500)
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
      expectNoticed(answer)
      await expectNoticeRead(lab, 'a', 'read me by yourself', before)
    }],
    ['a body beyond the typing limit is noticed, and read without a dialog', async () => {
      const session = lab.current
      await session.run('b', lab.agent.argv(lab.cli), '--cwd', session.project)
      for (const body of [Array.from({ length: 200 }, (_, i) => `line ${i + 1}`).join('\n'), 'y'.repeat(2049)]) {
        await session.waitIdle('b')
        const before = lab.notices().length
        const answer = await session.send('b', body)
        expectNoticed(answer)
        await expectNoticeRead(lab, 'b', body, before)
      }
    }],
  ]
}

async function runCasesOf(agent, groupsOf) {
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
  const cases = groupsOf(lab).flat()
  const failed = await runCases(cases, () => {
    lab.release()
    return lab.current.evidence(['a', 'b', 'fresh', 'sh'])
  })
  await lab.current?.stop()
  await lab.mock.close()
  process.exit(failed ? 1 : 0)
}

export function runSuite(agent) {
  return runCasesOf(agent, lab => [startupCases, typingCases, waitingCases, shellCases, defaultPermissionCases,
    orchestratorCases, ...(agent.hasLoop ? [loopCases] : [])].map(casesOf => casesOf(lab)))
}

// Of an agent that does not tell which session it is: the record that held its mail does, or its screen. again(record)
// gives the options with which a person goes on with a session.
export function resumeCases(lab) {
  const session = () => lab.current
  const turn = async (name, body) => {
    await session().waitIdle(name)
    const answer = await session().send(name, body)
    // What is resumed may be drawn anew in that moment.
    await expectSeenLater(session(), answer)
    await eventually(`one turn with m${answer.seq}`, () => turns(answer.seq) === 1)
    await session().waitIdle(name)
  }
  const explain = async name => JSON.parse(await session().must('explain', '--json', name))
  // After a turn that was cut the model may hear that one's text before the next: the last counts.
  const turns = seq => lab.turnsWith(seq).filter(r => r.text.match(/Mail m\d+ /g).at(-1) === `Mail m${seq} `).length
  const steps = async seq => (await session().receipt(`m${seq}`)).steps

  // It ends in the turn that took the mail, which is unread again.
  const cutTurn = async (name, body, ...end) => {
    await session().waitIdle(name)
    const answer = await session().send(name, `MOCK:slow ${TURN_S} ${body}`)
    await expectSeenLater(session(), answer)
    await eventually(`the model has m${answer.seq}`, () => turns(answer.seq) === 1, 60000)
    await session().must(...end, name)
    await eventually(async () => `m${answer.seq} returned: ${JSON.stringify(await steps(answer.seq))}`,
      async () => (await steps(answer.seq)).some(s => s.step === 'returned'), 60000)
    return answer.seq
  }
  const expectSeen = async (seq, proof, count) => {
    await eventually(async () => `m${seq} seen: ${JSON.stringify(await steps(seq))}`,
      async () => (await steps(seq)).at(-1).step === 'seen', 120000, 250)
    assert.match((await steps(seq)).findLast(s => s.step === 'typed').cause, proof)
    await eventually(`${count} turns with m${seq}`, () => turns(seq) === count)
  }
  // Longer than it takes to end it, on any machine.
  const TURN_S = 60
  const KILL = ['kill', '--signal', 'KILL']
  const RECORD = /^resumed session's record$/
  let record

  return [
    ['respawn --resume: its own session, though another in the folder is newer; what it holds is not typed again', async () => {
      await lab.session('resumed')
      // One after the other: the first start makes a database, too.
      for (const [name, body] of [['r', 'to be remembered'], ['s', 'of the other one']]) {
        await session().run(name, lab.agent.argv(lab.cli), '--cwd', session().project)
        await turn(name, body)
      }
      const seq = await cutTurn('r', 'in the middle', ...KILL)
      await turn('s', 'the newest')
      record = (await explain('r')).session_record
      assert.notEqual(record, '')
      assert.notEqual(record, (await explain('s')).session_record)
      await session().must('wait-state', 'r', 'exited')
      await session().must('respawn', '--resume', 'r')
      await session().waitIdle('r')
      await expectSeen(seq, RECORD, 1)
      await session().waitScreen('r', /to be remembered/)
      assert.doesNotMatch(await session().screen('r'), /of the other one|the newest/)
      await turn('r', 'the next')
      assert.equal(turns(seq), 1)
      assert.equal((await explain('r')).session_record, record)
    }],
    ['a person goes on with it: what its record holds is not typed again, the next mail is', async () => {
      const seq = await cutTurn('r', 'once more', ...KILL)
      await session().must('wait-state', 'r', 'exited')
      await session().must('forget', 'r')
      await session().run('r', [...lab.agent.argv(lab.cli), ...lab.agent.again(record)], '--cwd', session().project,
        '--respawn', 'always', '--resume')
      await expectSeen(seq, RECORD, 1)
      await turn('r', 'news')
      assert.equal(turns(seq), 1)
      // A program may draw a turn before it writes it down.
      await eventually('its record', async () => (await explain('r')).session_record === record)
    }],
    ['a policy that resumes; a fresh session gets the mail again', async () => {
      const { terminal_id: id } = await explain('r')
      const seq = await cutTurn('r', 'by a policy', ...KILL)
      await eventually('a successor', async () => ![undefined, id].includes((await session().terminal('r'))?.terminal_id))
      await expectSeen(seq, RECORD, 1)
      await session().waitIdle('r')
      assert.equal((await explain('r')).session_record, record)
      // Here the folder has a record with the mail, but it is another session's.
      const again = await cutTurn('s', 'for the last time', 'respawn', '--force')
      await expectSeen(again, /^(session|screen)/, 2)
    }],
  ]
}

// What delivery must do with any agent: half a minute for each.
export function runShortSuite(agent, moreOf = () => []) {
  return runCasesOf(agent, lab => [
    ...(agent.trust ? [startupCases(lab)] : []),
    typingCases(lab),
    waitingCases(lab).filter(([name]) => !name.startsWith('20 of 20')),
    noticeCases(lab),
    moreOf(lab),
  ])
}
