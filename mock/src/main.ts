#!/usr/bin/env node
/** The program `tandem-mock`. */
import { runProgram } from './program.ts'

const result = await runProgram(process.argv.slice(2), { out: process.stdout, error: process.stderr })
if (typeof result === 'number') process.exitCode = result
