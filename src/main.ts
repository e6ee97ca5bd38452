#!/usr/bin/env node
/** The program. Compiled code is cached before anything is loaded: it halves the time of a start. */
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { runCommandLine } = await import('./cli/run.ts')
process.exitCode = await runCommandLine(process.argv.slice(2))
