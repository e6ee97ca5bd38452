#!/usr/bin/env node
/**
 * The program. Compiled code is cached before anything is loaded, which halves the time of a start. It is the one file in
 * JavaScript: one in TypeScript would load the compiler (27 MB, and a tenth of a second) before there is a cache, and
 * older versions of Node could not say what is missing.
 */
import module from 'node:module'
import { setFlagsFromString } from 'node:v8'

const oldest = 24
const [major] = process.versions.node.split('.').map(Number)

if (major < oldest) {
  process.stderr.write(
    `tandem: expected Node ${oldest} or newer but this is Node ${process.versions.node} (${process.execPath}).\n` +
      'Run it by "npm start" or "npm run tandem -- <command>", which use the Node of the packages (on Linux), ' +
      `or install Node ${oldest}.\n`,
  )
  process.exitCode = 1
} else {
  // Loading would make the young generation grow to 130 MB, most of which an idle server would keep (decisions/0114). It
  // may grow again once the server has started.
  if (process.argv[2] === 'start') setFlagsFromString('--semi-space-growth-factor=1')
  module.enableCompileCache()
  // The reader of the output has closed the pipe, as in `tandem spec | head`. A server ends by itself, a push is finished,
  // and the exit code of a plan says what was found.
  if (process.argv[2] !== 'start')
    process.stdout.on('error', (error) => {
      if (error.code !== 'EPIPE') process.exit(1)
      if (process.argv[2] !== 'push' && process.argv[2] !== 'plan') process.exit(0)
    })
  const { runCommandLine } = await import('./cli/run.ts')
  process.exitCode = await runCommandLine(process.argv.slice(2))
}
