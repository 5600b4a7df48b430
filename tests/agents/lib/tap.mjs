// Cases in order, results in TAP. A case is an async function that throws when it fails.

import assert from 'node:assert/strict'

export { assert }
export const sleep = ms => new Promise(r => setTimeout(r, ms))

const remark = text => String(text).split('\n').map(l => `# ${l}`).join('\n')

// Run [name, function] pairs, stop nowhere; onFailure() gives remarks for a failed one.
export async function runCases(cases, onFailure = async () => '') {
  let failed = 0
  console.log(`1..${cases.length}`)
  for (const [i, [name, run]] of cases.entries()) {
    const began = Date.now()
    try {
      await run()
      console.log(`ok ${i + 1} - ${name}`)
    } catch (e) {
      failed++
      console.log(`not ok ${i + 1} - ${name}`)
      console.log(remark(e?.stack || e))
      console.log(remark(await onFailure().catch(String)))
    }
    console.log(remark(`${((Date.now() - began) / 1000).toFixed(1)} s`))
  }
  return failed
}

export function skipAll(reason) {
  console.log(`1..0 # SKIP ${reason}`)
}

// Wait until check() gives something true, and give it back; fail with what() after the limit, which is that of a
// loaded machine.
export async function eventually(what, check, limitMs = 60000, everyMs = 100) {
  const end = Date.now() + limitMs
  for (;;) {
    const value = await check()
    if (value) return value
    if (Date.now() > end) assert.fail(`not within ${limitMs / 1000} s: ${typeof what === 'function' ? await what() : what}`)
    await sleep(everyMs)
  }
}
