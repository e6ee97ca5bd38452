/**
 * Reads what images, audio and video say of themselves, in a program of its own: strangers write it, and a few megabytes
 * can be written so that reading them takes seconds and a gigabyte, which would be taken from everybody else.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Facts, Question } from './reading-program.ts'

const program = fileURLToPath(new URL('./reading-program.ts', import.meta.url))

/** Milliseconds that one question may take, starting the program included. */
const patience = 5_000

/** Milliseconds after which a program without work ends. */
const rest = 10_000

/** The program while there is one, and the end of the work that waits for it. It keeps no process alive. */
const reader: { child: ChildProcess | null; end: NodeJS.Timeout | null; turn: Promise<unknown> } = {
  child: null,
  end: null,
  turn: Promise.resolve(),
}

/** What contents say that say nothing. */
export const nothing: Facts = { width: null, height: null, duration: null, metadata: {} }

/** As `readImage` or `readMedia` of that file, in turn; what takes too long or too much memory says nothing. */
export function readAside(question: Question): Promise<Facts> {
  const answer = reader.turn.then(() => ask(question))
  reader.turn = answer
  return answer
}

async function ask(question: Question): Promise<Facts> {
  if (reader.end !== null) clearTimeout(reader.end)
  const child = (reader.child ??= start())
  const answer = await new Promise<Facts | null>((resolve) => {
    const timer = setTimeout(() => settle(null), patience)
    const settle = (said: Facts | null): void => {
      clearTimeout(timer)
      child.removeAllListeners('message').removeAllListeners('exit')
      resolve(said)
    }
    child.on('message', (said) => settle(said as Facts)).on('exit', () => settle(null))
    child.send(question, (error) => {
      if (error !== null) settle(null)
    })
  })
  if (answer === null) stop(child)
  else reader.end = setTimeout(() => stop(child), rest).unref()
  return answer ?? nothing
}

/** Without the environment: the secrets of the server are no business of a program that strangers feed. */
function start(): ChildProcess {
  const env = { NODE_COMPILE_CACHE: getCompileCacheDir() }
  const child = fork(program, [], { stdio: 'ignore', execArgv: ['--max-old-space-size=256'], env })
  // A failure to start is an exit to whoever waits.
  child.on('error', () => child.emit('exit'))
  child.unref()
  child.channel?.unref()
  return child
}

function stop(child: ChildProcess): void {
  if (reader.child === child) reader.child = null
  child.kill('SIGKILL')
}
