/**
 * Loaded before the program (`--import`): kills it as `kill -9` does, right after the message with the number KILL_AT has
 * left for a database. What the database makes of the message, the program never hears. Without a number, the count of
 * messages is printed to standard error at the end.
 */
import { Socket } from 'node:net'

const last = Number(process.env['KILL_AT'] ?? Number.POSITIVE_INFINITY)
let sent = 0
// Called below with the socket as `this`.
// oxlint-disable-next-line typescript/unbound-method
const { write } = Socket.prototype

Socket.prototype.write = function writeAndCount(this: Socket, ...values: unknown[]): boolean {
  const isWritten = Reflect.apply(write, this, values) as boolean
  if (this.remoteAddress !== undefined) sent += 1
  if (sent >= last) process.kill(process.pid, 'SIGKILL')
  return isWritten
}

if (last === Number.POSITIVE_INFINITY) process.once('exit', () => process.stderr.write(`${sent} messages\n`))
