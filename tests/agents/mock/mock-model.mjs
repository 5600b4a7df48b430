// A scripted stand-in for model APIs, for driving real agents offline. Listens on 127.0.0.1 only.
//
// What the reply is comes from directives in the latest user text; an argument ends at the next
// `MOCK:` or at the end of its line:
//
//   MOCK:slow N       stream words for N seconds
//   MOCK:hold         stream words until release()
//   MOCK:lines N      answer N lines
//   MOCK:think N      wait N seconds before the first word
//   MOCK:say TEXT     answer TEXT
//   MOCK:tool CMD     call the agent's shell tool with CMD, then answer `done`
//   MOCK:ask CMD      the same, saying that it needs approval (Codex)
//   MOCK:error CODE   HTTP error
//   MOCK:call NAME JSON   call the tool NAME with that input
//   `Mail n…` notices: the command, or the tool, that the notice names
//   `| pingpong` from a peer: send it back
//   none              a short echo that ends in `mock reply`
//
// A module of this folder per API exports routes = [{ method, path, handler(req, res, ctx) }].

import http from 'node:http'
import * as anthropic from './anthropic.mjs'
import * as gemini from './gemini.mjs'
import * as openaiChat from './openai-chat.mjs'
import * as openaiResponses from './openai-responses.mjs'

const ROUTES = [
  ...anthropic.routes.map(r => ({ api: 'anthropic', ...r })),
  ...openaiResponses.routes.map(r => ({ api: 'openai', ...r })),
  ...openaiChat.routes.map(r => ({ api: 'chat', ...r })),
  ...gemini.routes.map(r => ({ api: 'gemini', ...r })),
]
// No real model is faster.
const LEAST_WAIT_MS = 250

const sleep = ms => new Promise(r => setTimeout(r, ms))

// "MOCK:think 2 MOCK:tool ls" -> [{name:'think',arg:'2'}, {name:'tool',arg:'ls'}]
export function parse(text) {
  return [...String(text).matchAll(/MOCK:(\w+)[ \t]*((?:(?!MOCK:).)*)/g)]
    .map(m => ({ name: m[1], arg: m[2].trim() }))
}

const GAP_MS = 100
const STREAM = 'the mock model is streaming these words one after another so that the screen keeps changing'.split(' ')

const word = i => STREAM[i % STREAM.length] + ' '
const words = seconds => Array.from({ length: Math.max(1, Math.round(seconds * 1000 / GAP_MS)) }, (_, i) => word(i))

const ACTIONS = {
  think: (out, arg) => { out.waitMs += (parseFloat(arg) || 0) * 1000 },
  slow: (out, arg) => { out.chunks.push(...words(parseFloat(arg) || 0)); out.gapMs = GAP_MS },
  hold: out => { out.chunks.push(word(0)); out.isHeld = true },
  lines: (out, arg) => { out.chunks.push(...Array.from({ length: parseInt(arg) || 1 }, (_, i) => `line ${i + 1}\n\n`)) },
  say: (out, arg) => { out.chunks.push(arg) },
  tool: (out, arg) => { out.tool = arg },
  ask: (out, arg) => { out.tool = arg; out.ask = true },
  error: (out, arg) => { out.error = Number(arg) || 500 },
  call: (out, arg) => {
    const [, name, json] = /^(\S+)\s*([\s\S]*)$/.exec(arg) || []
    out.call = { name, input: JSON.parse(json || '{}') }
  },
}
const TOOLS = ['tool', 'ask', 'call']

// A model that is told to read its mail does so: with the shell, or with the tool that is named.
export function obey(text) {
  const shell = /^Mail n\d+: .*Run: (\S+ \S+)/m.exec(text)
  if (shell) return [{ name: 'tool', arg: shell[1].replace(/\.$/, '') }]
  const pong = /^Mail m\d+ from (\S+) \(a peer.*\n\| pingpong$/m.exec(text)
  if (pong) return [{ name: 'tool', arg: `bellhop send ${pong[1]} pingpong` }]
  if (/^Mail n\d+: .*read_inbox/m.test(text)) return [{ name: 'call', arg: 'mcp__bellhop__read_inbox {}' }]
  return parse(text)
}

// What to answer. A turn with k tools makes k + 1 requests; results says how many are behind us.
export function plan(text, results = 0) {
  const out = { waitMs: LEAST_WAIT_MS, chunks: [], gapMs: 0, isHeld: false, tool: null, ask: false, call: null, error: 0 }
  let part = 0
  for (const { name, arg } of obey(text)) {
    if (part === results) ACTIONS[name]?.(out, arg)
    if (TOOLS.includes(name) && ++part > results) break
  }
  if (!out.chunks.length && out.tool === null && !out.call) {
    out.chunks.push(...(results ? ['done'] : ['You said: ', String(text).replace(/\s+/g, ' ').slice(0, 60), ' - mock reply']))
  }
  return out
}

async function readBody(req) {
  const parts = []
  for await (const c of req) parts.push(c)
  return Buffer.concat(parts).toString('utf8')
}

function parseOrNull(raw) {
  try { return JSON.parse(raw) } catch { return null }
}

// What a route's handler gets.
function contextOf({ id, route, pathname, res, raw, record, releases }) {
  let open = null
  const before = releases.count
  const over = () => {
    if (open && !open.over) record({ ev: 'end', id, main: open.main, aborted: !res.writableFinished })
    if (open) open.over = true
  }
  res.on('close', over)
  return {
    id, pathname, raw, body: parseOrNull(raw), plan, sleep,
    // True once the agent hung up (an interrupted turn): stop streaming.
    gone: () => res.destroyed && !res.writableFinished,
    // Call once a request is known to be a model turn; main: false for side requests (titles).
    begin(info) {
      open = { main: true, ...info }
      record({ ev: 'start', id, api: route.api, ...open })
    },
    json(status, value, headers = {}) {
      res.writeHead(status, { 'content-type': 'application/json', ...headers })
      res.end(JSON.stringify(value))
    },
    // The function writes one server-sent event; its name may be null.
    sse(headers = {}) {
      res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers })
      res.flushHeaders()
      return (event, data) => {
        if (event) res.write(`event: ${event}\n`)
        res.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
      }
    },
    async stream(p, emit) {
      for (const c of p.chunks) {
        if (res.destroyed) return
        emit(c)
        if (p.gapMs) await sleep(p.gapMs)
      }
      for (let i = 1; p.isHeld && releases.count === before && !res.destroyed; i++) {
        emit(word(i))
        await sleep(GAP_MS)
      }
    },
  }
}

async function serve(req, res, id, record, releases) {
  const { pathname } = new URL(req.url, 'http://127.0.0.1')
  const raw = await readBody(req)
  const route = ROUTES.find(r => r.method === req.method && r.path.test(pathname))
  if (!route) {
    record({ ev: 'other', id, method: req.method, path: pathname, status: 404 })
    res.writeHead(404, { 'content-type': 'application/json' })
    res.end('{"error":{"type":"not_found_error","message":"not in the mock"}}')
    return
  }
  await route.handler(req, res, contextOf({ id, route, pathname, res, raw, record, releases }))
}

// Start a mock on a free port. records grows by one object per start and end of a model request:
// { ev, id, main, text, results, api }. While a main request is open its agent is working; a start
// with results 0 begins a turn, text is the whole user text that began it.
export async function startMock() {
  const records = []
  const record = r => records.push({ at: Date.now(), ...r })
  const releases = { count: 0 }
  let serial = 0
  const server = http.createServer((req, res) => {
    const id = ++serial
    serve(req, res, id, record, releases).catch(e => {
      record({ ev: 'fault', id, error: String(e?.stack || e) })
      res.destroy()
    })
  })
  server.keepAliveTimeout = 60000
  await new Promise(done => server.listen(0, '127.0.0.1', done))
  return {
    port: server.address().port,
    records,
    // End the replies of MOCK:hold that have begun.
    release: () => { releases.count++ },
    close: () => { server.closeAllConnections(); return new Promise(done => server.close(done)) },
  }
}
