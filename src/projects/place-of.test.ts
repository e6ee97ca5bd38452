import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { databaseKey } from './manage-projects.ts'

const server = { DB_HOST: 'db.example.com', DB_DATABASE: 'blog', DB_USER: 'a' }
const url = 'postgres://b:open-sesame@db.example.com/blog'
const place = (settings: { readonly [name: string]: string }): string => databaseKey(readConfig(settings, '/srv'))

test.each([
  ['another user', { ...server, DB_USER: 'b' }, true],
  ['the same as a URL', { DB_CONNECTION_STRING: url }, true],
  ['further schemas', { ...server, DB_SEARCH_PATH: 'public,other' }, true],
  ['another schema', { ...server, DB_SEARCH_PATH: 'other,public' }, false],
  ['another database', { ...server, DB_DATABASE: 'shop' }, false],
  ['another port', { ...server, DB_PORT: '5433' }, false],
  ['the embedded database', { DB_CLIENT: 'pglite' }, false],
])('%s', (_, settings, isSame) => {
  expect(place(settings) === place(server)).toBe(isSame)
})
