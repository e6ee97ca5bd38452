import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './listen.ts'

export type Received = {
  readonly path: string
  readonly method: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export type Answering = (request: Received, before: readonly Received[]) => ReceiverAnswer | Promise<ReceiverAnswer>

export type ReceiverAnswer = {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string | Buffer
}

export type Receiver = {
  readonly url: string
  /** In the order in which they came. */
  readonly received: Received[]
  /** Resolves with all requests as soon as so many have come. */
  readonly until: (isEnough: number | ((received: readonly Received[]) => boolean)) => Promise<readonly Received[]>
  answer: Answering
  readonly close: () => Promise<void>
}

/** Opens a receiver, which answers 204 until told otherwise. */
export async function openReceiver(answering: Answering = () => ({ status: 204 })): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const { url, close } = await listen((req, res) => {
    void read(req).then(async (request) => {
      received.push(request)
      for (const look of waiting) look()
      const { status, headers = {}, body = '' } = await receiver.answer(request, received.slice(0, -1))
      res.writeHead(status, headers).end(body)
    })
  })
  const receiver: Receiver = {
    url,
    received,
    answer: answering,
    until: (isEnough) =>
      new Promise((resolve) => {
        const look = (): void => {
          const isDone = typeof isEnough === 'number' ? received.length >= isEnough : isEnough(received)
          if (!isDone) return
          waiting.delete(look)
          resolve([...received])
        }
        waiting.add(look)
        look()
      }),
    close,
  }
  return receiver
}

async function read(req: IncomingMessage): Promise<Received> {
  const { url = '', method = '', headers } = req
  return { path: url, method, headers: headers as Received['headers'], body: await text(req) }
}
