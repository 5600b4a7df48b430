// OpenAI Responses API, as Codex uses it (wire_api = "responses").

const textOf = c => typeof c === 'string' ? c
  : Array.isArray(c) ? c.map(p => p.text || '').join('\n') : ''

// Codex sends its own context (environment, AGENTS.md, ...) as user messages.
const machine = /^\s*(<[a-z_]+( [^>]*)?>|# AGENTS\.md instructions)/i

export function latest(input) {
  if (typeof input === 'string') return { text: input, results: 0 }
  let results = 0
  for (let i = (input || []).length - 1; i >= 0; i--) {
    const m = input[i]
    if (/_call_output$/.test(m.type || '')) results++
    if (m.type && m.type !== 'message') continue
    const text = textOf(m.content)
    if (m.role === 'user' && text && !machine.test(text)) return { text, results }
  }
  return { text: '', results }
}

// How each shell tool Codex has offered over time takes its command.
const SHELLS = {
  exec_command: (cmd, ask) => ({ cmd, ...ask }),
  shell_command: (command, ask) => ({ command, ...ask }),
  shell: (command, ask) => ({ command: ['bash', '-lc', command], ...ask }),
}

// Newer models get their tools as the first input item, in namespaces, and run
// shell commands from JavaScript handed to the custom tool "exec".
function names(b) {
  const all = [...(b.tools || []), ...(Array.isArray(b.input) ? b.input : []).filter(i => i.type === 'additional_tools').flatMap(i => i.tools)]
  return all.flatMap(t => t.type === 'namespace' ? t.tools : [t]).map(t => t.name || t.type)
}

// Codex asks the model for session titles in threads of their own.
function isMain(b) {
  try { return JSON.parse(b.client_metadata['x-codex-turn-metadata']).thread_source !== 'thread_title' } catch { return true }
}

async function responses(req, res, ctx) {
  const b = ctx.body || {}
  const tools = names(b)
  const shell = Object.keys(SHELLS).find(n => tools.includes(n))
  const { text, results } = latest(b.input)
  const main = tools.length > 0 && isMain(b)
  const p = main ? ctx.plan(text, results) : ctx.plan('MOCK:say Mock session title')
  ctx.begin({ main, model: b.model, stream: !!b.stream, results, text })
  if (p.error) {
    if (p.waitMs) await ctx.sleep(p.waitMs)
    return ctx.json(p.error, { error: { type: 'server_error', code: p.error === 429 ? 'rate_limit_exceeded' : 'server_error', message: `mock error ${p.error}` } })
  }
  const rid = 'resp_mock' + ctx.id
  const output = []
  let seq = 0
  const send0 = ctx.sse({ 'x-request-id': 'req_mock' + ctx.id })
  const send = (type, data) => send0(type, { type, sequence_number: seq++, ...data })
  const resp = (status, more) => ({ id: rid, object: 'response', created_at: Math.floor(Date.now() / 1000), status, model: b.model, output, ...more })
  send('response.created', { response: resp('in_progress') })
  for (let left = p.waitMs; left > 0 && !ctx.gone(); left -= 1000) await ctx.sleep(Math.min(left, 1000))
  if (p.chunks.length) {
    const item = { type: 'message', id: 'msg_mock' + ctx.id, role: 'assistant', status: 'in_progress', content: [] }
    const at = { item_id: item.id, output_index: output.length, content_index: 0 }
    send('response.output_item.added', { output_index: output.length, item })
    send('response.content_part.added', { ...at, part: { type: 'output_text', text: '', annotations: [] } })
    let all = ''
    await ctx.stream(p, t => { all += t; send('response.output_text.delta', { ...at, delta: t }) })
    const part = { type: 'output_text', text: all, annotations: [] }
    send('response.output_text.done', { ...at, text: all })
    send('response.content_part.done', { ...at, part })
    const done = { ...item, status: 'completed', content: [part] }
    send('response.output_item.done', { output_index: output.length, item: done })
    output.push(done)
  }
  const ask = p.ask ? { sandbox_permissions: 'require_escalated', justification: 'The mock was told to ask for this.' } : {}
  const viaExec = !shell && tools.includes('exec')
  const isMcp = viaExec && p.call?.name.startsWith('mcp__')
  if (isMcp || (p.tool !== null && viaExec)) {
    const js = isMcp
      ? `const r = await tools.${p.call.name}(${JSON.stringify(p.call.input)}); text(JSON.stringify(r))`
      : `const r = await tools.exec_command(${JSON.stringify({ cmd: p.tool, ...ask })}); text(typeof r === 'string' ? r : r.output)`
    const item = { type: 'custom_tool_call', id: 'ctc_mock' + ctx.id, call_id: 'call_mock' + ctx.id, name: 'exec', input: js, status: 'completed' }
    send('response.output_item.added', { output_index: output.length, item: { ...item, status: 'in_progress', input: '' } })
    send('response.custom_tool_call_input.delta', { item_id: item.id, output_index: output.length, delta: js })
    send('response.custom_tool_call_input.done', { item_id: item.id, output_index: output.length, input: js })
    send('response.output_item.done', { output_index: output.length, item })
    output.push(item)
  }
  const use = (!isMcp && p.call) || (p.tool !== null && shell && { name: shell, input: SHELLS[shell](p.tool, ask) })
  if (use) {
    const item = {
      type: 'function_call', id: 'fc_mock' + ctx.id, call_id: 'call_mock' + ctx.id, name: use.name, status: 'completed',
      arguments: JSON.stringify(use.input),
    }
    send('response.output_item.added', { output_index: output.length, item: { ...item, status: 'in_progress', arguments: '' } })
    send('response.function_call_arguments.delta', { item_id: item.id, output_index: output.length, delta: item.arguments })
    send('response.function_call_arguments.done', { item_id: item.id, output_index: output.length, arguments: item.arguments })
    send('response.output_item.done', { output_index: output.length, item })
    output.push(item)
  }
  send('response.completed', { response: resp('completed', { usage: { input_tokens: 100, input_tokens_details: { cached_tokens: 0 }, output_tokens: 20, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 120 } }) })
  res.end()
}

// Also OpenAI's model list, for any CLI that asks.
const models = (q, r, ctx) => ctx.json(200, {
  object: 'list',
  data: ['mock-model', 'gpt-5.5', 'gpt-4o'].map(id => ({ id, object: 'model', created: 0, owned_by: 'mock' })),
})

export const routes = [
  { method: 'POST', path: /^\/v1\/responses$/, handler: responses },
  { method: 'GET', path: /^\/v1\/models$/, handler: models },
]
