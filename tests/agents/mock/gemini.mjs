// Google's Gemini API (generateContent), as Gemini CLI uses it.

import { toolCall } from './openai-chat.mjs'

const textOf = parts => (parts || []).filter(p => typeof p.text === 'string' && !p.thought).map(p => p.text).join('\n')

// The CLI sends its own context first, and notes in tags.
const spoken = s => s.replace(/<(session_context|hook_context|system[-_]reminder|loaded_context)\b[^>]*>[\s\S]*?<\/\1>/g, '').trim()

// The latest user text, and how many tool results came after it.
function latest(contents = []) {
  let results = 0
  for (const m of [...contents].reverse()) {
    if (m.role !== 'user' && m.role !== 'function') continue
    if ((m.parts || []).some(p => p.functionResponse)) {
      results++
      continue
    }
    const text = spoken(textOf(m.parts))
    if (text) return { text, results }
  }
  return { text: '', results }
}

// The text of a turn that was cut comes again, joined with the next one's: what the last mail says is done.
const lastMail = text => text.slice(text.lastIndexOf('\nMail m') + 1)

// Its router, which runs before each turn, asks for JSON by a schema: something that fits it.
function answerFor(schema) {
  const type = String([].concat(schema?.type || 'object')[0]).toLowerCase()
  if (schema?.enum) return schema.enum[0]
  if (type === 'object') return Object.fromEntries(Object.entries(schema?.properties || {}).map(([k, v]) => [k, answerFor(v)]))
  return { array: [], boolean: false, number: 1, integer: 1 }[type] ?? 'mock'
}

const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 }

async function generate(req, res, ctx) {
  const b = ctx.body || {}
  const stream = /:streamGenerateContent$/.test(ctx.pathname)
  const [, model] = /models\/([^/:]+):/.exec(ctx.pathname)
  const tools = (b.tools || []).flatMap(t => t.functionDeclarations || [])
    .map(f => ({ name: f.name, schema: f.parametersJsonSchema || f.parameters }))
  const { text, results } = latest(b.contents)
  const main = tools.length > 0
  const schema = b.generationConfig?.responseJsonSchema || b.generationConfig?.responseSchema
  const p = main ? ctx.plan(lastMail(text), results) : ctx.plan(`MOCK:say ${JSON.stringify(answerFor(schema))}`)
  const call = main ? toolCall(p, tools) : null
  ctx.begin({ main, model, stream, results, text })
  if (p.error) {
    if (p.waitMs) await ctx.sleep(p.waitMs)
    return ctx.json(p.error, { error: { code: p.error, message: `mock error ${p.error}`, status: 'INTERNAL' } })
  }
  const chunk = (parts, finishReason) => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason ? { finishReason } : {}) }],
    usageMetadata, modelVersion: model, responseId: 'mock' + ctx.id,
  })
  const calls = call ? [{ functionCall: { id: 'call_mock' + ctx.id, name: call.name, args: call.args } }] : []
  if (!stream) {
    return ctx.json(200, chunk([...(p.chunks.length ? [{ text: p.chunks.join('') }] : []), ...calls], 'STOP'))
  }
  const send = ctx.sse()
  for (let left = p.waitMs; left > 0 && !ctx.gone(); left -= 1000) await ctx.sleep(Math.min(left, 1000))
  await ctx.stream(p, t => send(null, chunk([{ text: t }])))
  if (calls.length) send(null, chunk(calls))
  send(null, chunk([{ text: '' }], 'STOP'))
  res.end()
}

export const routes = [
  { method: 'POST', path: /^\/v1(beta|alpha)?\/models\/[^/]+:(stream)?[gG]enerateContent$/, handler: generate },
  { method: 'POST', path: /^\/v1(beta|alpha)?\/models\/[^/]+:countTokens$/, handler: (q, r, ctx) => ctx.json(200, { totalTokens: 100 }) },
]
