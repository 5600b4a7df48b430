// One bellhop session with folders of its own, driven by the program as a person would.

import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { endAll, endAllAtExit } from './leftovers.mjs'
import { assert, eventually } from './tap.mjs'

// Unix socket names end at 107 bytes; `/NAME/server.sock` comes after this.
const RUNTIME_DIR_MAX = 70

export class Session {
  // folder: an empty folder outside the temporary ones, as agents' sandboxes may write there;
  // env: the clean environment of everything below.
  constructor(build, folder, env) {
    this.program = path.join(build, 'bellhop')
    this.runtimeDir = path.join(folder, 'run')
    this.isFar = this.runtimeDir.length > RUNTIME_DIR_MAX
    if (this.isFar) this.runtimeDir = fs.mkdtempSync('/var/tmp/bellhop-agents-')
    fs.mkdirSync(this.runtimeDir, { recursive: true, mode: 0o700 })
    this.env = {
      ...env, BELLHOP_RUNTIME_DIR: this.runtimeDir, BELLHOP_STATE_DIR: path.join(folder, 'state'),
      BELLHOP_TOP_PID: String(process.pid),
      XDG_CONFIG_HOME: path.join(folder, 'config'),
    }
    endAllAtExit(env.HOME)
  }

  // Run `bellhop ARG...`; { status, out, err }, never a throw for a status.
  bellhop(args, { input = '', timeoutMs = 60000 } = {}) {
    return new Promise(done => {
      const child = execFile(this.program, args, { env: this.env, timeout: timeoutMs, maxBuffer: 1 << 24 },
        (error, out, err) => done({ status: error ? error.code ?? 'killed' : 0, out, err }))
      // Most commands do not read: they may be gone before this is written.
      child.stdin.on('error', () => {})
      child.stdin.end(input)
    })
  }

  // The same, where anything but success is a failed case; gives the output.
  async must(...args) {
    const { status, out, err } = await this.bellhop(args)
    assert.equal(status, 0, `bellhop ${args.join(' ')}: ${err}${out}`)
    return out
  }

  run(name, argv, ...options) {
    return this.must('run', '--name', name, '--headless', ...options, '--', ...argv)
  }

  // Send body; the answer's object with `status`, the exit code of the command.
  async send(to, body, ...options) {
    const { status, out, err } = await this.bellhop(['send', '--json', ...options, to, '-'], { input: body })
    assert.match(out, /^\{/, `send to ${to}: exit ${status}: ${err}`)
    return { ...JSON.parse(out), status }
  }

  screen(name) {
    return this.must('screen', name)
  }

  type(name, text) {
    return this.must('type', name, text)
  }

  keys(name, ...keys) {
    return this.must('keys', name, ...keys)
  }

  async terminal(name) {
    const { terminals } = JSON.parse(await this.must('list', '--json'))
    return terminals.find(t => t.identity === name)
  }

  async receipt(id) {
    return JSON.parse(await this.must('receipt', '--json', id))
  }

  async waitIdle(name, limitMs = 240000) {
    const { status, err } = await this.bellhop(['wait-state', name, 'idle', '--timeout', `${limitMs}ms`],
      { timeoutMs: limitMs + 5000 })
    assert.equal(status, 0, `${name} is not idle: ${err}\n${await this.screen(name)}\n${await this.explain(name)}`)
  }

  // Idle, nothing waits for it or is on its way to it, and text may be typed.
  async waitRest(name) {
    await this.waitIdle(name)
    return eventually(async () => `${name} rests: ${JSON.stringify(await this.terminal(name))}\n${await this.explain(name)}`,
      async () => {
        const terminal = await this.terminal(name)
        return terminal.typable && terminal.unread === 0
      }, 120000)
  }

  async waitScreen(name, pattern, limitMs = undefined) {
    return eventually(async () => `${pattern} on the screen of ${name}:\n${await this.screen(name)}`,
      async () => pattern.test(await this.screen(name)), limitMs)
  }

  async explain(name) {
    return (await this.bellhop(['explain', name])).out
  }

  // Everything a person would look at after a failure.
  async evidence(names) {
    const parts = [(await this.bellhop(['list'])).out]
    for (const name of names) {
      parts.push(`--- ${name}`, (await this.bellhop(['screen', name])).out, await this.explain(name))
    }
    return parts.join('\n')
  }

  // End the server, its terminals, and what their agents left running.
  async stop() {
    await this.bellhop(['server', 'stop', '--force'])
    endAll(this.env.HOME)
    if (this.isFar) fs.rmSync(this.runtimeDir, { recursive: true, force: true })
  }
}
