// What agents leave running behind them (Codex's daemon, which has a session of its own): found by its HOME,
// which is that of one session of the tests, and ended by its pid.

import fs from 'node:fs'

const homes = new Set()

function hasHome(pid, home) {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`)
  } catch {
    return false // gone meanwhile, or another user's
  }
}

const pidsOf = home => fs.readdirSync('/proc').filter(name => /^\d+$/.test(name) && hasHome(name, home)).map(Number)

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (e) {
    if (e.code !== 'ESRCH') throw e
  }
}

// End all that runs with that HOME; what starts others meanwhile, too.
export function endAll(home) {
  const end = Date.now() + 10000
  for (let pids = pidsOf(home); pids.length; pids = pidsOf(home)) {
    if (Date.now() > end) throw new Error(`these do not end: ${pids.join(' ')}`)
    pids.forEach(kill)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
}

// The same when the tests end, however they end.
export function endAllAtExit(home) {
  if (!homes.size) {
    process.on('exit', () => homes.forEach(endAll))
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
  }
  homes.add(home)
}
