// Faults between the steps of a typing into the real Codex; beside the other agents' in time.
process.env.FAULTS_AGENTS ??= 'codex'
await import('./faults.mjs')
