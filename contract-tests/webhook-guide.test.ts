/** The code of the guide verifies what the server signs. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { signWebhook } from '../src/tokens/webhook-signature.ts'

type Verify = (secret: string, headers: { readonly [name: string]: string }, body: string) => unknown

const guide = readFileSync(new URL('../docs/webhooks.md', import.meta.url), 'utf8')
const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'] as const

test('the request of docs/webhooks.md has the signature of its body', () => {
  const [, head = '', body = ''] = /```text\nPOST \S+\n([\s\S]*?)\n\n(.*)\n```/.exec(guide) ?? []
  const headers = new Map(head.split('\n').map((line) => line.split(': ') as [string, string]))
  const timestamp = Number(headers.get('webhook-timestamp'))
  const signed = signWebhook([secrets[0]], { id: headers.get('webhook-id') ?? '', timestamp, body })
  expect(headers.get('webhook-signature')).toBe(signed)
  expect((JSON.parse(body) as { readonly timestamp: string }).timestamp).toBe(new Date(timestamp * 1000).toISOString())
})

test('the code of docs/webhooks.md accepts our signatures, and no others', async () => {
  const [, code = ''] = /```js\n(.*?)```/s.exec(guide) ?? []
  const { verifyWebhook } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly verifyWebhook: Verify
  }
  const [secret, former] = secrets
  const body = '{"type":"items.create"}'
  const timestamp = Math.floor(Date.now() / 1000)
  const signed = (at: number, by: readonly string[]) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': signWebhook(by, { id: 'msg_1', timestamp: at, body }),
  })
  expect(verifyWebhook(secret, signed(timestamp, [secret]), body)).toEqual({ type: 'items.create' })
  expect(verifyWebhook(former, signed(timestamp, [secret, former]), body)).toEqual({ type: 'items.create' })
  expect(() => verifyWebhook(former, signed(timestamp, [secret]), body)).toThrow('The signature is wrong')
  expect(() => verifyWebhook(secret, signed(timestamp, [secret]), `${body} `)).toThrow('The signature is wrong')
  expect(() => verifyWebhook(secret, signed(timestamp - 600, [secret]), body)).toThrow('The request is too old')
})
