/** The code of the guide verifies what the server signs. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { signWebhook } from '../src/tokens/webhook-signature.ts'

type Verify = (secret: string, headers: { readonly [name: string]: string }, body: string) => unknown

test('the code of docs/webhooks.md accepts our signatures, and no others', async () => {
  const guide = readFileSync(new URL('../docs/webhooks.md', import.meta.url), 'utf8')
  const [, code = ''] = /```js\n(.*?)```/s.exec(guide) ?? []
  const { verifyWebhook } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly verifyWebhook: Verify
  }
  const [secret, former] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD']
  const body = '{"type":"items.create"}'
  const timestamp = Math.floor(Date.now() / 1000)
  const signed = (at: number, secrets: readonly string[]) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': signWebhook(secrets, { id: 'msg_1', timestamp: at, body }),
  })
  expect(verifyWebhook(secret, signed(timestamp, [secret]), body)).toEqual({ type: 'items.create' })
  expect(verifyWebhook(former, signed(timestamp, [secret, former]), body)).toEqual({ type: 'items.create' })
  expect(() => verifyWebhook(former, signed(timestamp, [secret]), body)).toThrow('The signature is wrong')
  expect(() => verifyWebhook(secret, signed(timestamp, [secret]), `${body} `)).toThrow('The signature is wrong')
  expect(() => verifyWebhook(secret, signed(timestamp - 600, [secret]), body)).toThrow('The request is too old')
})
