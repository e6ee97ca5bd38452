#!/usr/bin/env node
/**
 * The program. Compiled code is cached before anything is loaded, which halves the time of a start. It is the one file in
 * JavaScript: one in TypeScript would load the compiler (27 MB, and a tenth of a second) before there is a cache.
 */
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { runCommandLine } = await import('./cli/run.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
