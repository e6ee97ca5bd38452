import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { toDriverParameter } from './driver-internals.ts'

const packageOf = (name: string): { readonly version: string } =>
  createRequire(import.meta.url)(`${name}/package.json`) as { readonly version: string }

test('the driver is the version whose private parts were read', () => {
  expect(packageOf('pg').version).toBe('8.23.1')
})

test('the private parts are there, before there is a connection', () => {
  const client = new Client({ host: 'localhost', port: 5432 }) as unknown as { readonly [name: string]: object }
  expect(client).toMatchObject({ host: 'localhost', port: 5432, processID: null })
  expect(client['connection']).toMatchObject({ parsedStatements: {}, submittedNamedStatements: {}, ssl: false })
  const methods = ['parse', 'bind', 'describe', 'execute', 'sync', 'connect', 'requestSsl', 'cancel']
  expect(methods.filter((name) => typeof Reflect.get(client['connection'] ?? {}, name) !== 'function')).toEqual([])
  expect(toDriverParameter(['a', 'b,c'])).toBe('{"a","b,c"}')
})

test('no other file reaches behind the types of the driver', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^[\w-]+\.ts$/.test(name))
  const found = files.filter((name) =>
    /as unknown as|as never/.test(readFileSync(`${import.meta.dirname}/${name}`, 'utf8')),
  )
  expect(found).toEqual(['driver-internals.ts'])
})
