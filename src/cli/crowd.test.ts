import { connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createDatabase, startServer } from './test-program.ts'

const database = await createDatabase({ isMigrated: true })
const crowd: Socket[] = []

afterAll(async () => {
  for (const each of crowd) each.destroy()
  await database.remove()
})

/** Connects a client that sends nothing, or an endless request byte by byte, and never closes. */
function join(port: number, isDripping: boolean): void {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  if (isDripping) socket.write('GET /server/ping HTTP/1.1\r\nhost: x\r\nx-drip: ')
  crowd.push(socket)
}

test('1,000 silent and slow connections under a limit of 300 descriptors do not block other clients', async () => {
  const server = await startServer(database.settings, { descriptors: 300 })
  const port = Number(new URL(server.url).port)
  const answers: string[] = []
  const ping = async (): Promise<void> => {
    const response = await fetch(`${server.url}/server/ping`, { headers: { connection: 'close' } })
    answers.push(await response.text())
  }
  while (crowd.length < 1_000) {
    for (let count = 0; count < 25; count += 1) join(port, count % 2 === 0)
    await ping()
  }
  for (const each of crowd) if (each.writable) each.write('x')
  for (let count = 0; count < 20; count += 1) await ping()
  expect(answers).toEqual(Array.from({ length: 60 }, () => 'pong'))
  expect(await server.stop()).toBe(0)
}, 180_000)
