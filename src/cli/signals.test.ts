/** The end of the process by signals, also as the first process of a container. */
import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { type Ending, endBy, endOnSignal } from './signals.ts'

/** A process that signals do not end, as the first one of a container. */
function firstProcess() {
  const emitter = new EventEmitter()
  const calls: unknown[] = []
  const ending = Object.assign(emitter, {
    pid: 1,
    kill: (pid: number, signal: string) => calls.push(['kill', pid, signal]) > 0,
    exit: (code: number) => calls.push(['exit', code]),
  }) as unknown as Ending
  return { ending, emitter, calls }
}

test('where a signal has no effect, the process exits', () => {
  const { ending, calls } = firstProcess()
  endBy('SIGKILL', ending)
  expect(calls).toEqual([
    ['kill', 1, 'SIGKILL'],
    ['exit', 137],
  ])
})

test('a signal before the server is ready ends the process, later ones are left to the server', () => {
  const { ending, emitter, calls } = firstProcess()
  const release = endOnSignal(ending)
  emitter.emit('SIGTERM', 'SIGTERM')
  expect(calls).toEqual([
    ['kill', 1, 'SIGTERM'],
    ['exit', 143],
  ])
  expect(emitter.listenerCount('SIGINT')).toBe(0)
  release()
  endOnSignal(ending)()
  expect(emitter.listenerCount('SIGTERM')).toBe(0)
})
