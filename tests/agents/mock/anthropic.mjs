// Anthropic Messages API, as Claude Code uses it.

// The CLI wraps machine text in <system-reminder> blocks: not what a user said. But what tells of the end of a
// background task begins a turn, as what a user says does; a directive may stand in the task's description.
const NOTIFICATION = /<task-notification>[\s\S]*?<\/task-notification>/
const spoken = s => NOTIFICATION.exec(s)?.[0] ?? s.replace(/<(system-reminder|local-command-\w+)>[\s\S]*?<\/\1>/g, '').trim()

// The latest user text, and how many tool results came after it. The CLI may
// join a cut-off tool's result and the next text into one message.
export function latest(messages = []) {
  let results = 0
  for (const m of [...messages].reverse()) {
    if (m.role !== 'user') continue
    const blocks = typeof m.content === 'string' ? [{ type: 'text', text: m.content }] : m.content
    let found = false
    for (const b of [...blocks].reverse()) {
      if (b.type === 'tool_result') { found = true; continue }
      const text = b.type === 'text' ? spoken(b.text) : ''
      if (text) return { text, results: results + (found ? 1 : 0) }
    }
    if (found) results++
  }
  return { text: '', results }
}

async function messages(req, res, ctx) {
  const b = ctx.body || {}
  const tools = (b.tools || []).map(t => t.name)
  const { text, results } = latest(b.messages)
  // Titles, topic checks, quota probes: no shell tool on offer.
  const main = tools.includes('Bash')
  const p = main ? ctx.plan(text, results) : ctx.plan('', 0)
  ctx.begin({ main, model: b.model, stream: !!b.stream, results, text })
  if (p.waitMs && !b.stream) await ctx.sleep(p.waitMs)
  if (p.error) {
    if (p.waitMs) await ctx.sleep(p.waitMs)
    const type = p.error === 529 ? 'overloaded_error' : p.error === 429 ? 'rate_limit_error' : 'api_error'
    return ctx.json(p.error, { type: 'error', error: { type, message: `mock error ${p.error}` }, request_id: 'req_mock' + ctx.id })
  }
  const id = 'msg_mock' + ctx.id
  const usage = { input_tokens: 100, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const use = p.call || (p.tool !== null && {
    name: 'Bash', input: { command: p.tool, description: 'Run the command the mock was told to' },
  })
  const call = use && { type: 'tool_use', id: 'toolu_mock' + ctx.id, ...use }
  const stop = call ? 'tool_use' : 'end_turn'
  if (!b.stream) {
    const title = JSON.stringify({ title: 'Mock session', isNewTopic: false })
    const content = [{ type: 'text', text: main ? p.chunks.join('') : title }]
    if (call) content.push(call)
    return ctx.json(200, { id, type: 'message', role: 'assistant', model: b.model, content, stop_reason: stop, stop_sequence: null, usage })
  }
  const send = ctx.sse({ 'request-id': 'req_mock' + ctx.id })
  send('message_start', { type: 'message_start', message: { id, type: 'message', role: 'assistant', model: b.model, content: [], stop_reason: null, stop_sequence: null, usage } })
  for (let left = p.waitMs; left > 0 && !ctx.gone(); left -= 1000) {
    send('ping', { type: 'ping' })
    await ctx.sleep(Math.min(left, 1000))
  }
  let index = 0
  const chunks = main ? p.chunks : [JSON.stringify({ title: 'Mock session', isNewTopic: false })]
  if (chunks.length) {
    send('content_block_start', { type: 'content_block_start', index, content_block: { type: 'text', text: '' } })
    await ctx.stream({ ...p, chunks }, t =>
      send('content_block_delta', { type: 'content_block_delta', index, delta: { type: 'text_delta', text: t } }))
    send('content_block_stop', { type: 'content_block_stop', index: index++ })
  }
  if (call) {
    send('content_block_start', { type: 'content_block_start', index, content_block: { ...call, input: {} } })
    send('content_block_delta', { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: JSON.stringify(call.input) } })
    send('content_block_stop', { type: 'content_block_stop', index })
  }
  send('message_delta', { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 20 } })
  send('message_stop', { type: 'message_stop' })
  res.end()
}

export const routes = [
  { method: 'POST', path: /^\/v1\/messages$/, handler: messages },
  { method: 'POST', path: /^\/v1\/messages\/count_tokens$/, handler: (q, r, ctx) => ctx.json(200, { input_tokens: 100 }) },
  { method: 'HEAD', path: /^\/(v1\/messages)?$/, handler: (q, r) => { r.writeHead(200); r.end() } },
  { method: 'POST', path: /^\/api\/(event_logging|claude_code)\b/, handler: (q, r, ctx) => ctx.json(200, {}) },
]
