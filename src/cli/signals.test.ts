/** The end of the process by signals, also as the first process of a container. */
import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { type Ending, endBy, endOnSignal } from './signals.ts'

/** A process that signals do not end, as the first one of a container. */
function firstProcess() {
  const emitter = new EventEmitter()
  const told: unknown[] = []
  const ending = Object.assign(emitter, {
    pid: 1,
    kill: (pid: number, signal: string) => told.push(['kill', pid, signal]) > 0,
    exit: (code: number) => told.push(['exit', code]),
  }) as unknown as Ending
  return { ending, emitter, told }
}

test('where a signal has no effect, the process exits', () => {
  const { ending, told } = firstProcess()
  endBy('SIGKILL', ending)
  expect(told).toEqual([
    ['kill', 1, 'SIGKILL'],
    ['exit', 137],
  ])
})

test('a signal before the server is ready ends the process, later ones are left to the server', () => {
  const { ending, emitter, told } = firstProcess()
  const release = endOnSignal(ending)
  emitter.emit('SIGTERM', 'SIGTERM')
  expect(told).toEqual([
    ['kill', 1, 'SIGTERM'],
    ['exit', 143],
  ])
  expect(emitter.listenerCount('SIGINT')).toBe(0)
  release()
  endOnSignal(ending)()
  expect(emitter.listenerCount('SIGTERM')).toBe(0)
})
