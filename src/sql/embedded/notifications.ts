/** Finds what is notified among the messages of an answer, which are a letter, a length and a content each. */

export type Notification = { readonly channel: string; readonly payload: string }

const notification = 'A'.charCodeAt(0)

/** `answer` holds complete messages. */
export function* notificationsIn(answer: Uint8Array): Generator<Notification> {
  const view = new DataView(answer.buffer, answer.byteOffset, answer.length)
  for (let at = 0; at < answer.length; at += 1 + view.getInt32(at + 1)) {
    if (answer[at] !== notification) continue
    // The content is a number, the process that notifies, and two texts, each with a zero at its end.
    const content = answer.subarray(at + 9, at + view.getInt32(at + 1))
    const [channel = '', payload = ''] = new TextDecoder().decode(content).split('\0')
    yield { channel, payload }
  }
}
