/**
 * Reads metadata of images, audio and video in a separate process. A malicious file of a few megabytes can cost seconds
 * and a gigabyte of memory, which must not affect the server.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Facts, Question } from './reading-program.ts'

const program = fileURLToPath(new URL('./reading-program.ts', import.meta.url))

/** Timeout in milliseconds of one request, including the start of the process. */
const readTimeout = 5_000

/** Idle time in milliseconds after which the process ends. */
const rest = 10_000

/** The process, if it runs, and the end of the queue. Neither keeps the server alive. */
const reader: { child: ChildProcess | null; end: NodeJS.Timeout | null; turn: Promise<unknown> } = {
  child: null,
  end: null,
  turn: Promise.resolve(),
}

/** The result for a file without metadata. */
export const nothing: Facts = { width: null, height: null, duration: null, metadata: {} }

/** Runs `readImage` or `readMedia` in the process, one file at a time. Exceeding time or memory gives the empty result. */
export function readInSideProcess(question: Question): Promise<Facts> {
  const answer = reader.turn.then(() => ask(question))
  reader.turn = answer
  return answer
}

async function ask(question: Question): Promise<Facts> {
  if (reader.end !== null) clearTimeout(reader.end)
  const child = (reader.child ??= start())
  const answer = await new Promise<Facts | null>((resolve) => {
    const timer = setTimeout(() => settle(null), readTimeout)
    const settle = (message: Facts | null): void => {
      clearTimeout(timer)
      child.removeAllListeners('message').removeAllListeners('exit')
      resolve(message)
    }
    child.on('message', (text) => settle(text as Facts)).on('exit', () => settle(null))
    child.send(question, (error) => {
      if (error !== null) settle(null)
    })
  })
  if (answer === null) stop(child)
  else reader.end = setTimeout(() => stop(child), rest).unref()
  return answer ?? nothing
}

/** Starts the process with an empty environment, so that a compromised process does not have the secrets of the server. */
function start(): ChildProcess {
  const env = { NODE_COMPILE_CACHE: getCompileCacheDir() }
  const child = fork(program, [], { stdio: 'ignore', execArgv: ['--max-old-space-size=256'], env })
  // Callers treat a failure to start like an exit.
  child.on('error', () => child.emit('exit'))
  child.unref()
  child.channel?.unref()
  return child
}

function stop(child: ChildProcess): void {
  if (reader.child === child) reader.child = null
  child.kill('SIGKILL')
}
