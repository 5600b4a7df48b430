// The real agents: installed from npm at pinned versions, in a HOME of their own, past onboarding,
// with fake keys and the mock as their model.

import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const PACKAGES = ['@anthropic-ai/claude-code@2.1.332', '@openai/codex@0.171.0']
const CLAUDE_KEY = 'sk-ant-mock-000'

// npm's words for a registry that it cannot reach.
const UNREACHABLE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+)\b/

// A reason to skip the tests.
export class Unreachable extends Error {}

export class DoesNotStart extends Error {}

async function npmInstall(prefix, packages) {
  try {
    // npm's cache goes below the prefix too: nothing outside the build folder is touched.
    await run('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1',
      '--cache', path.join(prefix, 'npm-cache'), ...packages], { timeout: 900000 })
  } catch (e) {
    const [word] = UNREACHABLE.exec(e.stderr || '') || []
    if (word) throw new Unreachable(`npm cannot be reached (${word})`)
    throw new Error(`npm install failed: ${e.stderr || e.message}`)
  }
}

async function isWorking(prefix, { programs, env }) {
  try {
    for (const name of programs) {
      await run(path.join(prefix, 'node_modules/.bin', name), ['--version'], { env: env?.(prefix) ?? process.env })
    }
    return true
  } catch {
    return false
  }
}

// Wait until the owner of the lock is done with it, or gone without a word.
async function ownerEnds(lock) {
  for (;;) {
    try {
      process.kill(Number(fs.readFileSync(lock, 'utf8')) || process.pid, 0)
    } catch (e) {
      if (e.code === 'ESRCH') fs.rmSync(lock, { force: true })
      return
    }
    await new Promise(r => setTimeout(r, 1000))
  }
}

const CLAUDE_AND_CODEX = {
  packages: PACKAGES,
  programs: ['claude', 'codex'],
  // npm may hold back Claude Code's postinstall, which puts the program in place.
  finish: prefix => run('node', ['install.cjs'], { cwd: path.join(prefix, 'node_modules/@anthropic-ai/claude-code') }),
}

// Install what: { packages, programs, env(prefix)?, finish(prefix)? } in prefix unless it works there already; gives
// prefix. The lock is a file with the pid of its owner: two suites may start at once. Throws Unreachable when npm
// cannot be reached.
export async function install(prefix, what) {
  if (await isWorking(prefix, what)) return prefix
  fs.mkdirSync(prefix, { recursive: true })
  const lock = path.join(prefix, 'installing')
  try {
    fs.writeFileSync(lock, String(process.pid), { flag: 'wx' })
  } catch {
    await ownerEnds(lock)
    return install(prefix, what)
  }
  try {
    await npmInstall(prefix, what.packages)
    if (!await isWorking(prefix, what)) await what.finish?.(prefix)
  } finally {
    fs.rmSync(lock)
  }
  if (!await isWorking(prefix, what)) throw new DoesNotStart('the agents were installed but do not start')
  return prefix
}

// Where Claude Code and Codex are: $BELLHOP_TEST_CLI, or installed below the build folder.
export function installClis(build) {
  return install(process.env.BELLHOP_TEST_CLI || path.join(build, 'agents-cli'), CLAUDE_AND_CODEX)
}

// A HOME with settings for the mock on port; the folder HOME/demo is trusted or not.
export async function makeHome(home, port, { trusted = true } = {}) {
  const project = path.join(home, 'demo')
  fs.mkdirSync(path.join(home, '.codex'), { recursive: true })
  fs.mkdirSync(project, { recursive: true })
  await run('git', ['init', '-q', project], { env: { ...process.env, HOME: home } })
  const projects = trusted
    ? { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] } }
    : {}
  fs.writeFileSync(path.join(home, '.claude.json'), JSON.stringify({
    hasCompletedOnboarding: true, theme: 'dark', numStartups: 5,
    customApiKeyResponses: { approved: [CLAUDE_KEY], rejected: [] }, projects,
  }, null, 2))
  fs.writeFileSync(path.join(home, '.codex/config.toml'), [
    'model = "gpt-6.2-sol"', 'model_provider = "mock"', 'check_for_update_on_startup = false', '',
    '[model_providers.mock]', 'name = "mock"', `base_url = "http://127.0.0.1:${port}/v1"`,
    'wire_api = "responses"', 'env_key = "MOCK_API_KEY"', '', '[analytics]', 'enabled = false', '',
    ...(trusted ? [`[projects."${project}"]`, 'trust_level = "trusted"', ''] : []),
  ].join('\n'))
  return project
}

// The clean environment that everything in a test runs in: bellhop, its server, the agents.
export function cleanEnv(home, port, more = {}) {
  return {
    HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', TERM: 'xterm-256color',
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: CLAUDE_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1',
    // Its recap for a person who was away would be drawn after minutes.
    CLAUDE_CODE_ENABLE_AWAY_SUMMARY: '0',
    MOCK_API_KEY: 'sk-mock-000', ...more,
  }
}
