// How long it takes until mail to an idle real agent is typed and proved, as its text and as a
// notice; run by `make bench-agents`. Printed, never judged. Times are those of the receipts.
import path from 'node:path'
import { Lab } from './suite.mjs'
import { eventually } from './lib/tap.mjs'

// A sender may wake the same agent 30 times a minute.
const SENDS = 25
const AGENTS = [
  { name: 'claude', argv: cli => [path.join(cli, 'claude')] },
  { name: 'codex', argv: cli => [path.join(cli, 'codex')] },
]

function figure(name, value, unit) {
  console.log(`${name.padEnd(58)} ${String(value).padStart(12)} ${unit}`)
}

const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]

// Milliseconds from `stored` to the step, or null if it did not happen.
async function measure(session, name, body, step) {
  await session.waitIdle(name)
  const { seq } = await session.send(name, body)
  const { steps } = await session.receipt(`m${seq}`)
  const at = word => steps.find(s => s.step === word)?.at
  if (step === 'noticed') {
    await eventually(`m${seq} read`, async () => (await session.receipt(`m${seq}`)).state === 'seen', 60000, 200)
  }
  return at(step) === undefined ? null : at(step) - at('stored')
}

async function measureAll(session, agent, name, step, label) {
  const times = []
  for (let i = 1; i <= SENDS; i++) {
    const time = await measure(session, name, `number ${i}`, step)
    if (time !== null) times.push(time)
  }
  figure(`idle ${agent}, ${label}: of ${SENDS} sends`, times.length, '')
  if (times.length === 0) return
  figure(`idle ${agent}, ${label}: p50`, percentile(times, 0.5), 'ms')
  figure(`idle ${agent}, ${label}: p99`, percentile(times, 0.99), 'ms')
}

for (const agent of AGENTS) {
  const lab = await Lab.start({ name: `latency-${agent.name}` }, process.env.BELLHOP_TEST_BUILDDIR)
  const session = await lab.session('main')
  try {
    await session.run('m', agent.argv(lab.cli), '--cwd', session.project)
    await measureAll(session, agent.name, 'm', 'typed', 'text typed and proved')
    await session.run('n', agent.argv(lab.cli), '--cwd', session.project, '--mode', 'notice')
    await measureAll(session, agent.name, 'n', 'noticed', 'notice typed and proved')
  } finally {
    await session.stop()
    await lab.mock.close()
  }
}
