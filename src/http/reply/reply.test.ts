import { expect, test } from 'vitest'
import { attachment, empty, redirect, text, withCookies, withHeaders } from './reply.ts'

test('replies are plain data', () => {
  expect(empty()).toEqual({ status: 204, body: null })
  expect(text('pong')).toEqual({ status: 200, body: { kind: 'text', text: 'pong', type: 'text/html; charset=utf-8' } })
  expect(redirect('/docs/')).toEqual({ status: 302, body: null, headers: { location: '/docs/' } })
})

test('headers and cookies are added to existing ones', () => {
  const cookie = { name: 'a', value: '1', secure: true, sameSite: 'lax' } as const
  expect(withHeaders(redirect('/a'), { 'cache-control': 'no-store' }).headers).toEqual({
    location: '/a',
    'cache-control': 'no-store',
  })
  expect(withCookies(withCookies(empty(), [cookie]), [{ ...cookie, value: null }]).cookies).toEqual([
    cookie,
    { ...cookie, value: null },
  ])
})

test('the file name of an attachment cannot break out of its header', () => {
  expect(attachment(empty(200), 'a"b\r\nX: é\'.csv').headers).toEqual({
    'content-disposition': `attachment; filename="a_b__X: _'.csv"; filename*=UTF-8''a%22b%0D%0AX%3A%20%C3%A9%27.csv`,
  })
})
