import { expect, test } from 'vitest'
import { notificationsIn } from './notifications.ts'

/** A message of the protocol: its letter, its length, its content. */
function message(letter: string, content: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + Buffer.byteLength(content))
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(content)])
}

const complete = message('C', 'NOTIFY\0')
const ready = message('Z', 'I')

test('notifications are found among other messages, with texts beyond ASCII and without any', () => {
  const first = message('A', '\0\0\0\x07feed\0{"to":"Zoë"}\0')
  const second = message('A', '\0\0\0\x07other\0\0')
  expect([...notificationsIn(Buffer.concat([complete, first, second, ready]))]).toEqual([
    { channel: 'feed', payload: '{"to":"Zoë"}' },
    { channel: 'other', payload: '' },
  ])
})

test('an answer without notifications, with rows that look like one, has none', () => {
  expect([...notificationsIn(Buffer.concat([message('D', 'A\0\0\0\x09feed\0\0'), complete, ready]))]).toEqual([])
  expect([...notificationsIn(Buffer.alloc(0))]).toEqual([])
})
