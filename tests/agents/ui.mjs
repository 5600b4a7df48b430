// The real agents side by side in the UI, before a person's terminal that tmux plays.
import fs from 'node:fs'
import path from 'node:path'
import { cleanEnv, installClis, makeHome, Unreachable } from './lib/cli.mjs'
import { haveTmux, Outer } from './lib/outer.mjs'
import { Session } from './lib/session.mjs'
import { assert, eventually, runCases, skipAll, sleep } from './lib/tap.mjs'
import { stillScreen } from './suite.mjs'
import { startMock } from './mock/mock-model.mjs'

const AGENTS = ['claude', 'codex']
const FOCUS = { claude: '\x1b[D', codex: '\x1b[C' }
const SHIFT_ENTER = '\x1b[13;2u'
const CLUSTERS = '日本語 한국어 🎉 👩‍🚀 é'

const build = process.env.BELLHOP_TEST_BUILDDIR
assert.ok(build, 'run by make check-agents')

let mock, session, outer, second

// From the edge the focus would go round to the other one.
async function focus(name) {
  const { tabs } = JSON.parse(await session.must('rpc', 'layout.get', '{}'))
  const tab = tabs.find(at => at.is_active)
  const focused = tab.panes.find(pane => pane.terminal_id === tab.focus)
  if (focused.identity !== name) await outer.prefixed(FOCUS[name])
  await outer.see(new RegExp(`━ ${name} · `))
}

async function enter() {
  await sleep(300)
  await outer.bytes('\r')
}

// The turns that users began with that text.
const turns = text => mock.records.filter(r => r.ev === 'start' && r.main && r.results === 0 && r.text.includes(text))

async function expectTurn(text) {
  await eventually(`a turn with ${JSON.stringify(text)}`, () => turns(text).length > 0)
}

async function bothIdle() {
  for (const name of AGENTS) await session.waitIdle(name)
}

async function bothSame() {
  for (const name of AGENTS) await outer.expectSame(name)
}

// Type text that is not on its screen yet, and press Enter once it is.
async function say(name, text) {
  await focus(name)
  await outer.bytes(text)
  await session.waitScreen(name, new RegExp(text))
  await enter()
  await expectTurn(text)
}

let streams = 0

// Until mock.release().
async function bothStream() {
  streams++
  for (const name of AGENTS) await say(name, `MOCK:hold ${name} ${streams}`)
  for (const name of AGENTS) await session.waitScreen(name, /the mock model is streaming/)
}

async function start(cli) {
  const folder = path.join(build, 'agents/ui')
  fs.rmSync(folder, { recursive: true, force: true })
  const home = path.join(folder, 'home')
  const project = await makeHome(home, mock.port)
  session = new Session(build, folder, cleanEnv(home, mock.port))
  const place = (method, name, more) => session.must('rpc', method, JSON.stringify(
    { argv: [path.join(cli, name)], identity: name, cwd: project, ...more }))
  await session.must('server', 'start')
  await place('tab.new', 'claude', { name: 'both' })
  await place('pane.split', 'codex', { direction: 'right' })
  outer = await Outer.open(session, 'one', 160, 45, ['attach'])
}

const typing = [
  ['both start side by side and are idle', async () => {
    await bothIdle()
    await outer.see(/claude · idle.*codex · idle/)
    await bothSame()
  }],
  ...AGENTS.map(name => [`${name}: Shift+Enter begins a line, a paste is one text, wide and joined characters stay`, async () => {
    await focus(name)
    await outer.bytes('first')
    await outer.bytes(SHIFT_ENTER)
    await outer.bytes('second ')
    await outer.paste(`pasted ${CLUSTERS}\nand its last line`)
    await session.waitScreen(name, /first\n\W*second pasted .*\n\W*and its last line/)
    await outer.expectSame(name)
    assert.equal(turns('first').length, 0)
    await enter()
    await expectTurn(`first\nsecond pasted ${CLUSTERS}\nand its last line`)
    assert.equal(turns('first').length, 1)
    await session.waitIdle(name)
    await outer.expectSame(name)
    mock.records.length = 0
  }]),
]

const LONG = Array.from({ length: 400 }, (_, i) => `line ${i + 1} of the paste: ${CLUSTERS}`).join('\n')

const pastes = AGENTS.map(name => [`${name}: a long paste arrives whole, as one turn`, async () => {
  await focus(name)
  await outer.paste(LONG)
  await session.waitScreen(name, /Pasted/)
  await enter()
  await expectTurn(LONG)
  assert.equal(turns('line 1 of the paste').length, 1)
  await session.waitIdle(name)
  await outer.expectSame(name)
  mock.records.length = 0
}])

const sizes = [
  ['they stream while the terminal is resized and a pane is zoomed; then all is as it should be', async () => {
    await bothStream()
    for (const [cols, rows] of [[120, 40], [80, 24], [200, 50], [60, 20], [160, 45]]) {
      await outer.resize(cols, rows)
      await sleep(600)
    }
    await outer.prefixed('z')
    await outer.see(/zoomed/)
    await sleep(1000)
    await outer.prefixed('z')
    await outer.see(/claude · working.*codex · working/)
    mock.release()
    await bothIdle()
    await bothSame()
  }],
  ['true colours of an agent arrive', async () => {
    const colours = text => new Set(text.match(/[34]8;2;\d+;\d+;\d+/g))
    const inner = colours(await session.must('screen', '--ansi', 'claude'))
    assert.ok(inner.size > 1, 'the agent uses no direct colours')
    const seen = colours(await outer.shown('-e'))
    for (const colour of inner) assert.ok(seen.has(colour), `${colour} is not seen`)
  }],
]

const comings = [
  ['a person leaves while they stream, comes back with another size, and sees the present', async () => {
    await bothStream()
    await outer.prefixed('d')
    await outer.see(/detached from session[\s\S]*rc=0/)
    await outer.resize(140, 42)
    await outer.bytes(`clear; '${session.program}' attach\r`)
    await outer.see(/claude · working.*codex · working/)
    mock.release()
    await bothIdle()
    await bothSame()
    await outer.resize(160, 45)
    await bothSame()
  }],
  ['the server is killed while they stream; everything goes on', async () => {
    await bothStream()
    const { pid } = JSON.parse(await session.must('server', 'status', '--json'))
    process.kill(pid, 'SIGKILL')
    await outer.see(/connected again/)
    mock.release()
    await bothIdle()
    await bothSame()
    await say('claude', 'after the kill')
    await session.waitIdle('claude')
    await bothSame()
  }],
  ['two people of other sizes: the one who acts decides, or the smaller one', async () => {
    const area = async () => JSON.parse(await session.must('rpc', 'layout.get', '{}')).area
    const expectRows = rows => eventually(async () => `${rows} rows: ${JSON.stringify(await area())}`,
      async () => (await area()).rows === rows)
    second = await Outer.open(session, 'two', 100, 30, ['attach'])
    await expectRows(28)
    await second.expectSame('claude')
    await outer.bytes('x')
    await expectRows(43)
    await outer.bytes('\x7f')
    await bothSame()
    await session.must('rpc', 'session.size_policy', '{"policy":"smallest"}')
    await expectRows(28)
    await outer.bytes('x\x7f')
    await second.expectSame('claude')
    await second.expectSame('codex')
    await second.prefixed('d')
    await expectRows(43)
    await second.close()
    await session.must('rpc', 'session.size_policy', '{"policy":"latest"}')
    await bothSame()
  }],
  ['the wheel scrolls the agent under it, and no other', async () => {
    // How much the agents have said depends on the machine.
    const wheelUntil = (what, button, col, check) => eventually(what, async () => {
      for (let i = 0; i < 20; i++) await outer.mouse(button, 20, col)
      return check()
    }, undefined, 500)
    for (const name of AGENTS) await say(name, `MOCK:lines 20 of ${name}`)
    await bothIdle()
    for (const name of AGENTS) await stillScreen(session, name)
    const tops = { claude: [60, /Claude Code v/, 'codex'], codex: [120, /OpenAI Codex/, 'claude'] }
    for (const [name, [col, top, other]] of Object.entries(tops)) {
      const before = [await session.screen(name), await session.screen(other)]
      assert.doesNotMatch(before[0], top)
      await wheelUntil(async () => `${top} on the screen of ${name}:\n${await session.screen(name)}`, 64, col,
        async () => top.test(await session.screen(name)))
      await bothSame()
      await wheelUntil(async () => `its end again:\n${await session.screen(name)}\nbefore:\n${before[0]}`, 65, col,
        async () => await session.screen(name) === before[0])
      await bothSame()
      assert.equal(await session.screen(other), before[1])
    }
  }],
]

const leaving = [
  ['the person\'s terminal is left clean', async () => {
    await outer.prefixed('d')
    await outer.see(/detached from session/)
    assert.equal((await outer.tmux('display-message', '-p', '#{alternate_on}#{mouse_any_flag}#{cursor_flag}')).trim(), '001')
    assert.doesNotMatch(await outer.shown(), /\[<|\[\?|;\d+[Mmu]/)
  }],
]

async function main() {
  let cli
  try {
    cli = path.join(await installClis(build), 'node_modules/.bin')
  } catch (e) {
    if (!(e instanceof Unreachable)) throw e
    return skipAll(`the agents cannot be installed: ${e.message}`)
  }
  if (!await haveTmux()) return skipAll('tmux is not installed')
  mock = await startMock()
  let failed = 1
  try {
    await start(cli)
    failed = await runCases([...typing, ...sizes, ...comings, ...pastes, ...leaving],
      async () => {
        mock.release()
        return `${await outer.shown()}\n${await session.evidence(AGENTS)}`
      })
  } finally {
    await outer?.close()
    await second?.close()
    await session.stop()
    await mock.close()
  }
  process.exit(failed ? 1 : 0)
}

await main()
