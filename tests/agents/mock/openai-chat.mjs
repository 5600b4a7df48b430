// OpenAI Chat Completions API, as pi and OpenCode use it.

const textOf = c => typeof c === 'string' ? c
  : Array.isArray(c) ? c.filter(p => !p.type || p.type === 'text').map(p => p.text || '').join('\n') : ''

// What the CLI adds to the user's words stands in tags: not what a user said.
const spoken = s => s.replace(/<(system[-_]reminder|environment_details|context)\b[^>]*>[\s\S]*?<\/\1>/g, '').trim()

// The latest user text, and how many tool results came after it.
export function latest(messages = []) {
  let results = 0
  for (const m of [...messages].reverse()) {
    if (m.role === 'tool') results++
    if (m.role !== 'user') continue
    const text = spoken(textOf(m.content))
    if (text) return { text, results }
  }
  return { text: '', results }
}

// Arguments for a shell tool by its own schema: the command, and something harmless for whatever else it requires.
function shellArgs(schema, command) {
  const args = { command }
  for (const key of schema?.required || []) {
    if (key in args) continue
    const type = [].concat(schema.properties?.[key]?.type || 'string')[0]
    args[key] = type === 'boolean' ? false : type === 'number' || type === 'integer' ? 30 : 'Run what the mock was told to'
  }
  return args
}

// The tool that a plan calls, of those offered as { name, schema }: { name, args }, or null.
export function toolCall(plan, tools) {
  const shell = tools.find(t => ['bash', 'run_shell_command'].includes(t.name))
  if (plan.call) return { name: plan.call.name, args: plan.call.input }
  return plan.tool !== null && shell ? { name: shell.name, args: shellArgs(shell.schema, plan.tool) } : null
}

async function chat(req, res, ctx) {
  const b = ctx.body || {}
  const tools = (b.tools || []).filter(t => t.function).map(t => ({ name: t.function.name, schema: t.function.parameters }))
  const { text, results } = latest(b.messages)
  // Titles come without tools.
  const main = tools.length > 0
  const p = main ? ctx.plan(text, results) : ctx.plan('MOCK:say Mock session title')
  const call = main ? toolCall(p, tools) : null
  ctx.begin({ main, model: b.model, stream: !!b.stream, results, text })
  if (p.error) {
    if (p.waitMs) await ctx.sleep(p.waitMs)
    return ctx.json(p.error, { error: { type: 'server_error', code: null, message: `mock error ${p.error}` } })
  }
  const head = { id: 'chatcmpl-mock' + ctx.id, created: Math.floor(Date.now() / 1000), model: b.model }
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
  const finish = call ? 'tool_calls' : 'stop'
  const calls = call && [{ index: 0, id: 'call_mock' + ctx.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } }]
  if (!b.stream) {
    const message = { role: 'assistant', content: p.chunks.join(''), ...(calls ? { tool_calls: calls } : {}) }
    return ctx.json(200, { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], usage })
  }
  const send = ctx.sse({ 'x-request-id': 'req_mock' + ctx.id })
  const chunk = (delta, finishReason = null) => send(null, { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finishReason }] })
  for (let left = p.waitMs; left > 0 && !ctx.gone(); left -= 1000) await ctx.sleep(Math.min(left, 1000))
  chunk({ role: 'assistant', content: '' })
  await ctx.stream(p, t => chunk({ content: t }))
  if (calls) chunk({ tool_calls: calls })
  chunk({}, finish)
  send(null, { ...head, object: 'chat.completion.chunk', choices: [], usage })
  send(null, '[DONE]')
  res.end()
}

export const routes = [
  { method: 'POST', path: /^\/v1\/chat\/completions$/, handler: chat },
]
