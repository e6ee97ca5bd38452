#!/usr/bin/env node
/**
 * The program. Compiled code is cached before anything is loaded, which halves the time of a start. It is the one file in
 * JavaScript: one in TypeScript would load the compiler (27 MB, and a tenth of a second) before there is a cache.
 */
import { enableCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'

// `src/memory.ts` says why. Before V8 counts: set while it collects in a pause, it ends the process.
setFlagsFromString('--memory-reducer-gc-count=0')
enableCompileCache()
const { runCommandLine } = await import('./cli/run.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
