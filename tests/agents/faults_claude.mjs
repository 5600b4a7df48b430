// Faults between the steps of a typing into the real Claude Code; beside the other agents' in time.
process.env.FAULTS_AGENTS ??= 'claude'
await import('./faults.mjs')
