/** Identity providers: the requests that they send, in their order and in their forms. */
import { afterAll, describe, expect, test } from 'vitest'
import { createTestServer } from '../testing/test-server.ts'

const server = await createTestServer()
afterAll(() => server.close())

const media = { 'content-type': 'application/scim+json; charset=utf-8', accept: 'application/scim+json' }

type Resource = { readonly [name: string]: unknown }

async function send(status: number, request: string, body?: object): Promise<Resource> {
  const [method, path = ''] = request.split(/ (.*)/s, 2)
  const [plain, query] = path.split('?', 2)
  const search = query === undefined ? '' : `?${new URLSearchParams(query.replaceAll('+', '%2B')).toString()}`
  const answer = await server.ask(`${method} /_/scim/v2${plain}${search}`, {
    headers: media,
    ...(body === undefined ? {} : { body }),
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  if (answer.body !== '') expect(answer.headers.get('content-type')).toMatch(/^application\/scim\+json/)
  const { meta } = Object(answer.body) as { readonly meta?: Resource }
  expect(answer.headers.get('location')).toBe(status === 201 ? meta?.['location'] : null)
  return answer.body as Resource
}

const core = 'urn:ietf:params:scim:schemas:core:2.0'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const patchOf = (...operations: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
})
const namesIn = (list: Resource): readonly unknown[] =>
  (list['Resources'] as readonly Resource[]).map((each) => each['userName'] ?? each['displayName'])
const membersOf = (group: Resource): readonly string[] =>
  (group['members'] as readonly Resource[]).map((each) => String(each['value'])).toSorted()

describe('Entra ID', () => {
  const entraUser = {
    schemas: [`${core}:User`, enterprise],
    externalId: 'entra-ann',
    userName: 'Ann@example.com',
    active: true,
    displayName: 'Ann Lee',
    meta: { resourceType: 'User' },
    name: { formatted: 'Ann Lee', familyName: 'Lee', givenName: 'Ann' },
    emails: [{ primary: true, type: 'work', value: 'ann.lee@mail.example.com' }],
    title: 'Editor',
    [enterprise]: { department: 'News', manager: '7' },
  }

  test('looks for a user, creates it and finds it again', async () => {
    expect(await send(200, 'GET /Users?filter=userName eq "Ann@example.com"')).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      Resources: [],
    })
    const made = await send(201, 'POST /Users', entraUser)
    expect(made).toEqual({
      schemas: [`${core}:User`],
      id: 'entra-ann',
      externalId: 'entra-ann',
      userName: 'ann@example.com',
      name: { familyName: 'Lee', givenName: 'Ann' },
      displayName: 'Ann Lee',
      emails: [{ value: 'ann@example.com', type: 'work', primary: true }],
      title: 'Editor',
      active: true,
      groups: [],
      meta: {
        resourceType: 'User',
        location: `${server.url}/_/scim/v2/Users/entra-ann`,
        version: expect.stringMatching(/^W\/"[0-9a-f]{16}"$/),
      },
    })
    expect(await send(200, 'GET /Users/entra-ann')).toEqual(made)
    for (const filter of [
      'userName eq "Ann@Example.com"',
      'externalId eq "entra-ann"',
      'emails[type eq "work"].value eq "ann@example.com"',
      'emails[type eq "work" and value eq "ANN@example.com"] and active eq true',
      `${core}:User:userName eq "ann@example.com" and (title eq "Editor" or name.familyName eq "x")`,
      'id eq "entra-ann" and name.givenName eq "Ann"',
    ]) {
      expect(namesIn(await send(200, `GET /Users?filter=${filter}`)), filter).toEqual(['ann@example.com'])
    }
    expect(await send(409, 'POST /Users', entraUser)).toMatchObject({ status: '409', scimType: 'uniqueness' })
  })

  test('changes attributes by paths, by filters and without a path', async () => {
    const changed = await send(
      200,
      'PATCH /Users/entra-ann',
      patchOf(
        { op: 'Replace', path: 'name.familyName', value: 'Lee-Smith' },
        { op: 'Add', path: 'emails[type eq "work"].value', value: 'ann.smith@example.com' },
        { op: 'Remove', path: 'Title' },
        { op: 'Add', path: `${enterprise}:department`, value: 'Culture' },
        { op: 'Add', value: { 'name.givenName': 'Anne', [`${enterprise}:employeeNumber`]: '7', TIMEZONE: 'UTC' } },
      ),
    )
    expect(changed).toMatchObject({
      userName: 'ann.smith@example.com',
      name: { familyName: 'Lee-Smith', givenName: 'Anne' },
      timezone: 'UTC',
    })
    expect(changed).not.toHaveProperty('title')
  })

  test('disables and enables users with texts', async () => {
    const off = patchOf({ op: 'Replace', path: 'active', value: 'False' })
    expect(await send(200, 'PATCH /Users/entra-ann', off)).toMatchObject({ active: false })
    expect(namesIn(await send(200, 'GET /Users?filter=active eq false'))).toEqual(['ann.smith@example.com'])
    const { rows } = await server.db.run({ text: `select status from platform_users where number = 4`, values: [] })
    expect(rows).toEqual([{ status: 'suspended' }])
    const on = patchOf({ op: 'replace', value: { active: 'True' } })
    expect(await send(200, 'PATCH /Users/entra-ann', on)).toMatchObject({ active: true })
  })

  test('creates a group and moves members one by one', async () => {
    const made = await send(201, 'POST /Groups', {
      schemas: [`${core}:Group`],
      externalId: 'entra-authors',
      displayName: 'Authors',
      meta: { resourceType: 'Group' },
    })
    expect(made).toMatchObject({
      id: 'entra-authors',
      externalId: 'entra-authors',
      displayName: 'Authors',
      members: [],
    })
    const found = await send(200, 'GET /Groups?excludedAttributes=members&filter=displayName eq "Authors"')
    expect(found['Resources']).toEqual([expect.not.objectContaining({ members: expect.anything() as unknown })])
    const added = await send(
      200,
      'PATCH /Groups/entra-authors',
      patchOf({ op: 'Add', path: 'members', value: [{ $ref: null, value: 'entra-ann' }] }),
    )
    expect(added['members']).toEqual([
      { value: 'entra-ann', $ref: `${server.url}/_/scim/v2/Users/entra-ann`, display: 'Anne Lee-Smith' },
    ])
    expect((await send(200, 'GET /Users/entra-ann'))['groups']).toEqual([
      { value: 'entra-authors', $ref: `${server.url}/_/scim/v2/Groups/entra-authors`, display: 'Authors' },
    ])
    expect(namesIn(await send(200, 'GET /Users?filter=groups.value eq "entra-authors"'))).toHaveLength(1)
    expect(namesIn(await send(200, 'GET /Groups?filter=members[value eq "entra-ann"]'))).toEqual(['Authors'])
    const removed = await send(
      200,
      'PATCH /Groups/entra-authors',
      patchOf({ op: 'Remove', path: 'members', value: [{ $ref: null, value: 'entra-ann' }] }),
    )
    expect(removed['members']).toEqual([])
    const renamed = patchOf({ op: 'Replace', path: 'displayName', value: 'Writers' })
    expect(await send(200, 'PATCH /Groups/entra-authors', renamed)).toMatchObject({ displayName: 'Writers' })
  })

  test('deletes users, who can be created again without what they had', async () => {
    const put = patchOf({ op: 'add', path: 'members', value: [{ value: 'entra-ann' }] })
    await send(200, 'PATCH /Groups/entra-authors', put)
    await send(204, 'DELETE /Users/entra-ann')
    expect(await send(404, 'GET /Users/entra-ann')).toMatchObject({ status: '404' })
    expect(await send(404, 'DELETE /Users/entra-ann')).not.toHaveProperty('scimType')
    expect(namesIn(await send(200, 'GET /Users?filter=externalId eq "entra-ann"'))).toEqual([])
    expect((await send(200, 'GET /Groups/entra-authors'))['members']).toEqual([])
    const again = await send(201, 'POST /Users', { ...entraUser, userName: 'ann.smith@example.com', active: 'True' })
    expect(again).toMatchObject({ id: 'entra-ann', active: true, groups: [], title: 'Editor' })
    const { rows } = await server.db.run({
      text: `select number from platform_users where email like 'ann%'`,
      values: [],
    })
    expect(rows).toEqual([{ number: 4 }])
  })
})

const oktaUser = (name: string, more: object = {}) => ({
  schemas: [`${core}:User`],
  userName: `${name}@example.com`,
  name: { givenName: name, familyName: 'Okta' },
  emails: [{ primary: true, value: `${name}@example.com`, type: 'work' }],
  displayName: `${name} Okta`,
  locale: 'en-US',
  externalId: `00u-${name}`,
  groups: [],
  password: 'is-not-used-here',
  active: true,
  ...more,
})

describe('Okta', () => {
  test('imports users page by page', async () => {
    for (const name of ['bea', 'cid', 'dan']) await send(201, 'POST /Users', oktaUser(name))
    const seen: unknown[] = []
    for (let startIndex = 1; ; startIndex += 2) {
      const page = await send(200, `GET /Users?startIndex=${startIndex}&count=2`)
      expect(page).toMatchObject({ totalResults: 7, startIndex })
      const names = namesIn(page)
      expect(page['itemsPerPage']).toBe(names.length)
      seen.push(...names)
      if (names.length < 2) break
    }
    expect(seen).toHaveLength(7)
    expect(new Set(seen).size).toBe(7)
    expect(await send(200, 'GET /Users?count=0')).toMatchObject({ totalResults: 7, itemsPerPage: 0, Resources: [] })
    expect(namesIn(await send(200, 'GET /Users?startIndex=-3&count=1'))).toEqual(['admin@example.com'])
    expect(await send(200, 'GET /Users?startIndex=100')).toMatchObject({ totalResults: 7, Resources: [] })
  })

  test('replaces users, and deactivates them by PATCH', async () => {
    const replaced = await send(
      200,
      'PUT /Users/00u-bea',
      oktaUser('bea', { name: { givenName: 'Beatrix' }, title: 'Chief' }),
    )
    expect(replaced).toMatchObject({ name: { givenName: 'Beatrix' }, title: 'Chief', locale: 'en-US', active: true })
    expect(replaced['name']).toEqual({ givenName: 'Beatrix' })
    expect(await send(200, 'PUT /Users/00u-bea', { userName: 'bea@example.com' })).toEqual({
      ...replaced,
      name: {},
      displayName: 'bea@example.com',
      title: undefined,
      locale: undefined,
      meta: expect.anything() as unknown,
    })
    const off = patchOf({ op: 'replace', value: { active: false } })
    expect(await send(200, 'PATCH /Users/00u-bea', off)).toMatchObject({ active: false })
  })

  test('pushes groups with all of their members', async () => {
    const pushed = await send(201, 'POST /Groups', {
      schemas: [`${core}:Group`],
      displayName: 'Reviewers',
      members: [{ value: '00u-bea', display: 'bea@example.com' }, { value: '00u-cid' }],
    })
    const id = String(pushed['id'])
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(membersOf(pushed)).toEqual(['00u-bea', '00u-cid'])
    const changed = await send(
      200,
      `PATCH /Groups/${id}`,
      patchOf(
        { op: 'remove', path: 'members[value eq "00u-bea"]' },
        { op: 'add', path: 'members', value: [{ value: 'dan@example.com' }] },
        { op: 'replace', value: { id, displayName: 'Critics' } },
      ),
    )
    expect(changed).toMatchObject({ id, displayName: 'Critics' })
    expect(membersOf(changed)).toEqual(['00u-cid', '00u-dan'])
    const replaced = await send(200, `PUT /Groups/${id}`, { displayName: 'Critics', members: [{ value: '00u-bea' }] })
    expect(membersOf(replaced)).toEqual(['00u-bea'])
    const path = { op: 'replace', path: 'members', value: [{ value: '00u-dan' }, { value: '00u-cid' }] }
    expect(membersOf(await send(200, `PATCH /Groups/${id}`, patchOf(path)))).toHaveLength(2)
    expect(membersOf(await send(200, `PATCH /Groups/${id}`, patchOf({ op: 'remove', path: 'members' })))).toEqual([])
    await send(200, `PATCH /Groups/${id}`, { schemas: [`${core}:Group`], members: [{ value: '00u-cid' }] })
    await send(204, `DELETE /Groups/${id}`)
    await send(404, `GET /Groups/${id}`)
    expect(await send(200, 'GET /Users/00u-cid')).toMatchObject({ active: true, groups: [] })
  })
})

test('a user of no identity provider keeps the id that it was shown with', async () => {
  const [admin] = (await send(200, 'GET /Users?filter=userName eq "admin@example.com"'))[
    'Resources'
  ] as readonly Resource[]
  const id = String(admin?.['id'])
  expect(admin?.['externalId']).toBe(id)
  const linked = await send(200, `PATCH /Users/${id}`, patchOf({ op: 'add', path: 'externalId', value: '00u-admin' }))
  expect(linked).toMatchObject({ id: '00u-admin', externalId: '00u-admin' })
  expect(await send(200, `GET /Users/${id}`)).toEqual(linked)
  const other = patchOf({ op: 'replace', path: 'externalId', value: '00u-other' })
  expect(await send(400, `PATCH /Users/${id}`, other)).toMatchObject({ scimType: 'mutability' })
})

test('providers may ask what is supported', async () => {
  expect(await send(200, 'GET /ServiceProviderConfig')).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
  })
  const types = (await send(200, 'GET /ResourceTypes'))['Resources'] as readonly Resource[]
  expect(types.map((each) => each['endpoint'])).toEqual(['/Users', '/Groups'])
  for (const { id, meta } of types) {
    expect(await send(200, `GET /ResourceTypes/${String(id)}`)).toMatchObject({ id, meta })
  }
  const schemas = (await send(200, 'GET /Schemas'))['Resources'] as readonly Resource[]
  expect(schemas.map((each) => each['id'])).toEqual([`${core}:User`, `${core}:Group`])
  expect(await send(200, `GET /Schemas/${core}:Group`)).toEqual(schemas[1])
  await send(404, 'GET /Schemas/urn:unknown')
})

test('the shown attributes are those of the schema', async () => {
  const schemas = (await send(200, 'GET /Schemas'))['Resources'] as readonly {
    attributes: readonly { name: string }[]
  }[]
  const common = ['schemas', 'id', 'meta']
  const shown = [
    await send(200, 'GET /Users/00u-cid'),
    await send(201, 'POST /Groups', { id: 'g-1', displayName: 'G' }),
  ]
  for (const [at, resource] of shown.entries()) {
    const names = [...common, ...(schemas[at]?.attributes.map(({ name }) => name) ?? [])]
    expect(Object.keys(resource).filter((name) => !names.includes(name))).toEqual([])
  }
  expect(shown[1]).toMatchObject({ id: 'g-1' })
})
