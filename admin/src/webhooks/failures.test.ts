import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { failureText } from './failures.ts'

const told = (reason: string) => failureText(reason, (key, values) => `${key} ${JSON.stringify(values)}`)

test('each sentence of the server has a text', () => {
  const source = readFileSync(new URL('../../../src/core/webhooks/attempt.ts', import.meta.url), 'utf8')
  const sentences = [...source.matchAll(/[`'](The (?:receiver|address) [^`']+)[`']/g)].map(([, text = '']) =>
    text.replace('${status}', '500'),
  )
  expect(sentences).toHaveLength(5)
  expect(sentences.map(told).filter((text) => !text.startsWith('app.webhooks.'))).toEqual([])
  expect(told('The receiver answered 500')).toBe('app.webhooks.answered {"status":"500"}')
})

test('other words of the server stay', () => {
  expect(told('Its user or role may not read "articles": forbidden')).toBe(
    'Its user or role may not read "articles": forbidden',
  )
})
