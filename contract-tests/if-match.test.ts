import { afterAll, beforeEach, expect, test } from 'vitest'
import { send } from './send.ts'
import { openWorld, type UserKind } from './world.ts'

const world = await openWorld()
beforeEach(() => world.reset())
afterAll(() => world.close())

type Answer = { data: { [name: string]: unknown }; error?: { code: string | number } }

type RequestOptions = { readonly as?: UserKind; readonly tag?: string; readonly body?: object; readonly none?: string }

async function ask(request: string, { as = 'admin', tag, body, none }: RequestOptions = {}) {
  const headers = new Headers()
  if (tag !== undefined) headers.set('if-match', tag)
  if (none !== undefined) headers.set('if-none-match', none)
  const answer = await send(world.url, request, { body, headers, token: world.tokens[as] })
  return { status: answer.status, tag: answer.headers.get('etag') ?? '', json: answer.body as Answer | null }
}

const item = '/items/articles/1'
const titled = '?fields=id,title'
const related = '?fields=id,comments.*'

/** The part of a tag that identifies the content. */
const contentOf = (tag: string): string => /^W\/"([0-9a-f]+)/.exec(tag)?.[1] ?? tag

test('an item has one tag for all requests; a suffix covers related items', async () => {
  const { tag } = await ask(`GET ${item}${titled}`)
  expect(tag).toMatch(/^W\/"[0-9a-f]{1,16}"$/)
  for (const query of ['?fields=title', '?fields=status,id', '?fields=id&alias[name]=title'])
    expect((await ask(`GET ${item}${query}`)).tag).toBe(tag)
  const whole = await ask(`GET ${item}`)
  expect(contentOf(whole.tag)).toBe(contentOf(tag))
  const more = await ask(`GET ${item}${related}`)
  expect([more.tag === tag, contentOf(more.tag)]).toEqual([false, contentOf(tag)])
  for (const query of [titled, '', related]) {
    const again = await ask(`GET ${item}${query}`, { none: (await ask(`GET ${item}${query}`)).tag })
    expect(again.status).toBe(304)
  }
  await ask('POST /items/comments', { body: { article: 1, text: 'New' } })
  expect((await ask(`GET ${item}${titled}`, { none: tag })).status).toBe(304)
  const other = await ask(`GET ${item}${related}`, { none: more.tag })
  expect([other.status, other.tag === more.tag, contentOf(other.tag)]).toEqual([200, false, contentOf(tag)])
})

test('a conditional update succeeds only if the content is unchanged', async () => {
  for (const query of [titled, '', related]) {
    const { tag } = await ask(`GET ${item}${query}`)
    const title = `After ${query}`
    expect((await ask(`PATCH ${item}`, { tag, body: { title } })).json?.data.title).toBe(title)
    const late = await ask(`PATCH ${item}`, { tag, body: { title: 'Lost' } })
    expect([late.status, late.json?.error?.code]).toEqual([412, 'PRECONDITION_FAILED'])
    expect((await ask(`GET ${item}`)).json?.data.title).toBe(title)
  }
})

test('lists, strong tags and a star match; invalid tags do not', async () => {
  const { tag } = await ask(`GET ${item}${titled}`)
  const outcomes: number[] = []
  for (const asked of [`"other", ${tag}`, tag.slice(2), '*', 'nonsense', '""'])
    outcomes.push((await ask(`PATCH ${item}`, { tag: asked, body: {} })).status)
  expect(outcomes).toEqual([200, 200, 200, 412, 412])
})

test('one of many concurrent conditional updates succeeds', async () => {
  const { tag } = await ask(`GET ${item}`)
  const titles = ['a', 'b', 'c', 'd', 'e', 'f']
  const all = await Promise.all(titles.map((title) => ask(`PATCH ${item}`, { tag, body: { title } })))
  expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412, 412, 412])
  const winner = all.find(({ status }) => status === 200)?.json?.data.title
  expect((await ask(`GET ${item}`)).json?.data.title).toBe(winner)
})

test('a changed item is not deleted', async () => {
  const { tag } = await ask(`GET ${item}`)
  const changed = await ask(`PATCH ${item}`, { body: { title: 'Changed' } })
  expect(changed.status).toBe(200)
  expect((await ask(`DELETE ${item}`, { tag })).status).toBe(412)
  const { tag: present } = await ask(`GET ${item}${titled}`)
  expect((await ask(`DELETE ${item}`, { tag: present })).status).toBe(204)
  expect((await ask(`GET ${item}`)).status).toBe(403)
})

test('permissions and payloads are checked first; without read permission no tag matches', async () => {
  const { tag } = await ask(`GET ${item}`)
  const body = { title: 'Changed' }
  const outcomes = [
    await ask(`PATCH ${item}`, { as: 'nobody', tag: '"other"', body }),
    await ask('PATCH /items/articles/999999', { tag: '"other"', body }),
    await ask(`PATCH ${item}`, { as: 'editor', tag: '"other"', body: { nothing: 1 } }),
    await ask(`PATCH ${item}`, { as: 'writer', tag, body }),
    await ask(`PATCH ${item}`, { as: 'writer', tag: '*', body }),
  ]
  expect(outcomes.map(({ status }) => status)).toEqual([403, 403, 403, 412, 204])
})

test('the tag does not depend on fields that the caller may not read', async () => {
  const before = [await ask(`GET ${item}?fields=id`, { as: 'editor' }), await ask(`GET ${item}?fields=id`)]
  const hidden = await ask(`GET ${item}?fields=views`, { as: 'editor' })
  expect(hidden.status).toBe(403)
  await ask(`PATCH ${item}`, { body: { views: 4 } })
  const after = [await ask(`GET ${item}?fields=id`, { as: 'editor' }), await ask(`GET ${item}?fields=id`)]
  expect([after[0]?.tag === before[0]?.tag, after[1]?.tag === before[1]?.tag]).toEqual([true, false])
})

const file = '/files/00000000-0000-4000-8000-0000000000f7'

const contents = (): FormData => {
  const form = new FormData()
  form.append('file', new Blob(['other contents'], { type: 'text/plain' }), 'notes.txt')
  return form
}

test('files: values, contents and deletion', async () => {
  const { tag } = await ask(`GET ${file}`)
  expect((await ask(`PATCH ${file}`, { tag, body: { title: 'New' } })).status).toBe(200)
  expect((await ask(`PATCH ${file}`, { tag, body: { title: 'Lost' } })).status).toBe(412)
  expect((await ask(`PATCH ${file}`, { tag, body: contents() })).status).toBe(412)
  const { tag: second } = await ask(`GET ${file}`)
  expect((await ask(`PATCH ${file}`, { tag: second, body: contents() })).status).toBe(200)
  expect((await ask(`DELETE ${file}`, { tag: second })).status).toBe(412)
  const last = await ask(`GET ${file}`)
  expect(last.json?.data).toMatchObject({ title: 'New', filesize: '14' })
  expect((await ask(`DELETE ${file}`, { tag: last.tag })).status).toBe(204)
})

const uuid = (end: string): string => `/00000000-0000-4000-8000-0000000000${end}`

/** Items of both generations, and a field that each may change. */
const everywhere = [
  ['/_/items/articles/1', 'title'],
  ['/_/files/907', 'title'],
  ['/_/folders/906', 'name'],
  ['/_/roles/906', 'description'],
  ['/_/users/906', 'first_name'],
  ['/_/users/me', 'first_name'],
  ['/users/me', 'first_name'],
  [`/users${uuid('f1')}`, 'first_name'],
  ['/settings', 'project_descriptor'],
  ['/items/about', 'headline'],
] as const

test.each(everywhere)('%s is updated only if it has not changed', async (path, field) => {
  const { tag, json } = await ask(`GET ${path}`)
  expect(json?.data[field]).not.toBe('New')
  expect((await ask(`PATCH ${path}`, { tag, body: { [field]: 'New' } })).status).toBe(200)
  const late = await ask(`PATCH ${path}`, { tag, body: { [field]: 'Lost' } })
  expect([late.status, late.json?.error?.code]).toEqual([412, path.startsWith('/_') ? 4 : 'PRECONDITION_FAILED'])
  const now = await ask(`GET ${path}?fields=${field}`)
  expect(now.json?.data).toEqual({ [field]: 'New' })
  expect((await ask(`PATCH ${path}`, { tag: now.tag, body: { [field]: 'Newer' } })).status).toBe(200)
  expect((await ask(`GET ${path}`, { none: now.tag })).status).toBe(200)
})

test('legacy: contents, names on disk and deletion; several items have no common tag', async () => {
  const path = '/_/files/907'
  const { tag, json } = await ask(`GET ${path}`)
  const data = Buffer.from('other contents').toString('base64')
  const changes = [{ data }, { filename_disk: 'renamed.txt' }]
  for (const body of changes) expect((await ask(`PATCH ${path}`, { tag: '"other"', body })).status).toBe(412)
  expect((await ask(`GET ${path}`)).json).toEqual(json)
  expect((await ask(`PATCH ${path}`, { tag, body: { data } })).status).toBe(200)
  const { tag: second } = await ask(`GET ${path}`)
  expect((await ask(`PATCH ${path}`, { tag: second, body: { filename_disk: 'renamed.txt' } })).status).toBe(200)
  expect((await ask(`DELETE ${path}`, { tag: second })).status).toBe(412)
  const { tag: last } = await ask(`GET ${path}`)
  expect((await ask('DELETE /_/files/905,907', { tag: last })).status).toBe(412)
  expect((await ask(`DELETE ${path}`, { tag: last })).status).toBe(204)
})

test('a singleton without a row matches no tag', async () => {
  await ask('DELETE /items/about', { body: [1] })
  expect((await ask('GET /items/about?fields=headline')).json?.data).toEqual({})
  const body = { headline: 'First' }
  expect((await ask('PATCH /items/about', { tag: '"1"', body })).status).toBe(412)
  expect((await ask('PATCH /items/about', { tag: '*', body })).json?.data['headline']).toBe('First')
})
