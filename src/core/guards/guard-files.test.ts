/** What is refused in written files and shares. */
import { describe, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { caught } from '../../domain/testing/test-failures.ts'
import { answering } from '../testing/answering-database.ts'
import { changesOf, failuresOf, userWith } from '../testing/test-context.ts'
import { readFileRules } from './file-settings.ts'
import { assertFiles, assertKeepsContents, fileFacts } from './guard-files.ts'
import { assertNotSetByServer, isFact } from './server-fields.ts'

const user = userWith([], { admin: true })
const system: Actor = { kind: 'system' }
const contents = ['storage', 'filename_disk', 'filesize', 'uploaded_on', 'tus_id', 'tus_data', 'checksum', 'seconds']

const check = async (values: object, { server = ['*/*'], project = '', actor = user } = {}) => {
  const files = { types: server } as unknown as Context['files']
  const { ctx } = answering([[[null, null, project, null]]], { actor, files })
  await assertFiles(ctx, [{ changes: changesOf(values as { readonly [field: string]: unknown }) }])
}

const reason = (types: string) => [
  { kind: 'invalid-payload', name: 'type', reason: `Expected a file of type ${types} but received image/png` },
]

describe('a written file', () => {
  test.each(contents)('has no %s that is set by hand', (name) => {
    const changes = changesOf({ title: 'x', [name]: null })
    expect(caught(() => assertKeepsContents({ actor: user }, changes)).failures).toEqual([
      { kind: 'invalid-payload', name, reason: `"${name}" is given by the server and cannot be set` },
    ])
    expect(() => assertKeepsContents({ actor: system }, changes)).not.toThrow()
    expect(() => assertKeepsContents({ actor: user }, changesOf({ title: 'x', type: 'image/png' }))).not.toThrow()
  })

  test('keeps what belongs to its contents when it is reverted', () => {
    const more = ['type', 'width', 'height', 'duration', 'embed', 'charset', 'private_hash']
    expect([...fileFacts].toSorted()).toEqual([...contents, ...more].toSorted())
  })

  const png = { type: 'image/png' }

  test('has a type that the server and the project allow', async () => {
    for (const project of ['', ' ', ' text/plain , image/* ']) await check(png, { project })
    await check({ title: 'x' }, { server: [] })
    await check({ type: null }, { server: [] })
    await check(png, { server: [], actor: system })
    expect(await failuresOf(check(png, { server: ['text/*', 'image/gif'] }))).toEqual(reason('text/*, image/gif'))
    expect(await failuresOf(check(png, { project: 'text/plain' }))).toEqual(reason('text/plain'))
    expect(await failuresOf(check({ type: 'png' }))).toEqual([
      { kind: 'invalid-payload', name: 'type', reason: 'Expected a media type such as image/png for "type"' },
    ])
    expect(await failuresOf(check({ storage: 'x' }))).toMatchObject([{ name: 'storage' }])
  })
})

test.each<[row: readonly (string | null)[] | undefined, rules: object]>([
  [undefined, { naming: 'uuid', addresses: 'private_hash', types: [], folder: null }],
  [[null, null, null, null], { naming: 'uuid', addresses: 'private_hash', types: [], folder: null }],
  [['odd', 'odd', ',', 'f'], { naming: 'uuid', addresses: 'private_hash', types: [], folder: 'f' }],
  [
    ['file_name', 'filename_download', 'a/b, c/*', null],
    { naming: 'file_name', addresses: 'filename_download', types: ['a/b', 'c/*'], folder: null },
  ],
])('the file settings %j', async (row, rules) => {
  expect(await readFileRules(answering([row === undefined ? [] : [row]], {}).ctx)).toEqual(rules)
})

test.each(['times_used', 'date_created', 'user_created'])('a written share has no %s that is set by hand', (name) => {
  const check = (actor: Actor, collection: string) => () =>
    assertNotSetByServer({ actor }, [
      { collection: 'articles', changes: changesOf({ times_used: 1 }) },
      { collection, changes: changesOf({ [name]: null }) },
    ])
  expect(caught(check(user, 'platform_shares')).failures).toEqual([
    { kind: 'invalid-payload', name, reason: `Expected no value for field "${name}"` },
  ])
  expect(check(user, 'platform_files')).not.toThrow()
  expect(check(system, 'platform_shares')).not.toThrow()
  expect(['collection', 'item', name].every((each) => isFact('platform_shares', each))).toBe(true)
})
