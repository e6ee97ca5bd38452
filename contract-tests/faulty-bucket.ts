/** A server in front of a bucket that makes faults: it delays, refuses, cuts and changes what passes through it. */
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTestBucket, type TestBucket } from '../src/storage/test-bucket.ts'
import { listen } from './listen.ts'

/** What happens to a request. The default of each part: nothing. */
export type Fault = {
  /** Milliseconds before the request is passed on. */
  readonly delay?: number
  /** The answer in place of that of the bucket; 0 closes the connection without one. */
  readonly status?: number
  /** What the bucket receives in place of the contents. */
  readonly sent?: (body: Buffer) => Buffer
  /** What the client receives in place of the contents. */
  readonly received?: (body: Buffer) => Buffer
  /** Bytes after which the connection is closed, of contents whose whole length was announced. */
  readonly cut?: number
  readonly etag?: string
}

export type FaultyBucket = TestBucket & {
  /** Decides on each request, named like `PUT partNumber`; null: no fault. */
  faultOf: (asked: string) => Fault | null
  /** The requests since the last look. */
  readonly asked: () => readonly string[]
}

/** Creates an empty bucket without faults. */
export async function openFaultyBucket(): Promise<FaultyBucket> {
  const bucket = await openTestBucket()
  const seen: string[] = []
  const faulty = { faultOf: (_asked: string): Fault | null => null }
  const take = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { searchParams } = new URL(req.url ?? '', 'http://x')
    const named = ['partNumber', 'uploadId', 'uploads', 'list-type'].find((name) => searchParams.has(name))
    const asked = [req.method, ...(named === undefined ? [] : [named])].join(' ')
    seen.push(asked)
    const fault = faulty.faultOf(asked) ?? {}
    const body = await buffer(req)
    await sleep(fault.delay ?? 0)
    if (fault.status === 0) res.destroy()
    else if (fault.status !== undefined) refuse(res, fault.status)
    else passOn({ to: bucket.options.endpoint as string, req, res }, body, fault)
  }
  const server = await listen((req, res) => void take(req, res))
  return Object.assign(faulty, {
    directory: bucket.directory,
    options: { ...bucket.options, endpoint: server.url },
    asked: () => seen.splice(0),
    async close() {
      await server.close()
      await bucket.close()
    },
  })
}

const refuse = (res: ServerResponse, status: number): void =>
  void res.writeHead(status, { 'content-type': 'application/xml' }).end('<Error><Code>InternalError</Code></Error>')

type Exchange = { readonly to: string; readonly req: IncomingMessage; readonly res: ServerResponse }

function passOn({ to, req, res }: Exchange, body: Buffer, { sent, received, cut, etag }: Fault): void {
  const contents = sent?.(body) ?? body
  const headers = { ...req.headers, 'content-length': String(contents.length) }
  const reply = async (answer: IncomingMessage): Promise<void> => {
    const whole = await buffer(answer)
    const shown = received?.(whole) ?? whole
    const { 'transfer-encoding': _, ...kept } = answer.headers
    const length = req.method === 'HEAD' ? {} : { 'content-length': String(shown.length) }
    res.writeHead(answer.statusCode ?? 500, { ...kept, ...length, ...(etag === undefined ? {} : { etag }) })
    if (cut === undefined) res.end(shown)
    else res.write(shown.subarray(0, cut), () => res.destroy())
  }
  const url = new URL(req.url ?? '', to)
  request(url, { method: req.method, headers }, (answer) => void reply(answer)).end(contents)
}
