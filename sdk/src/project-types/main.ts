#!/usr/bin/env node
/** The program `tandem-sdk`: `npx @tandem/sdk types` writes the types of a project. */
import { runProgram } from './program.ts'

process.exitCode = await runProgram(process.argv.slice(2))
