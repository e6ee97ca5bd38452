/** Random requests to the system collections of both generations, by REST and by GraphQL. */
import type { Random } from '../../contract-tests/random.ts'
import { type Asking, maybe, queryText } from './requests.ts'
import { legacyResources, type Resource, resources, strange } from './system-resources.ts'
import { idOf } from './system-world.ts'

const names = Object.keys(resources)

function row(
  { pick, below }: Random,
  { written, needed }: Resource,
  isNew: boolean,
): { readonly [field: string]: unknown } {
  const fields = Object.keys(written)
  const some = Array.from({ length: 1 + below(2) }, () => pick(fields)).map((field) => [
    field,
    pick(written[field] as unknown[]),
  ])
  const must = isNew && below(10) > 0 ? Object.entries(needed).map(([field, values]) => [field, pick(values)]) : []
  return Object.fromEntries([...some, ...must]) as { readonly [field: string]: unknown }
}

/** A field of its own, without a path. */
const plain = ({ pick }: Random, { fields }: Resource): string => pick(fields.filter((each) => !each.includes('.')))

const operators = ['_eq', '_neq', '_in', '_null', '_nnull', '_gt', '_icontains', '_empty', '_nonsense']

function query(random: Random, resource: Resource, isLegacy = false): { readonly [name: string]: unknown } {
  const { pick, below } = random
  const { fields, keys, written } = resource
  const condition = (): object => {
    const field = maybe(random, 20) ? 'nowhere' : plain(random, resource)
    const operator = pick(operators)
    const value = pick([...keys, ...(written[field] ?? []), ...strange].filter((each) => typeof each !== 'object'))
    const operand = operator === '_in' ? [value, pick(keys)] : operator.endsWith('null') ? true : value
    return {
      [field]: {
        [isLegacy ? operator.slice(1) : operator]: isLegacy && Array.isArray(operand) ? operand.join(',') : operand,
      },
    }
  }
  return {
    ...(maybe(random, 2) ? { fields: Array.from({ length: 1 + below(3) }, () => pick([...fields, '*', '*.*'])) } : {}),
    ...(maybe(random, 2) ? { filter: condition() } : {}),
    ...(maybe(random) ? { sort: [`${pick(['', '-'])}${plain(random, resource)}`] } : {}),
    ...(maybe(random) ? { limit: pick([0, 1, 2, 100, -1, 'x']) } : {}),
    ...(maybe(random, 6) ? { [isLegacy ? 'q' : 'search']: pick(['a', 'e', 'hello', '1']) } : {}),
    ...(maybe(random, 5) ? { meta: '*' } : {}),
    ...(maybe(random, 8) && !isLegacy
      ? {
          aggregate: { [pick(['count', 'countDistinct'])]: pick([plain(random, resource), '*']) },
          ...(maybe(random, 2) ? { groupBy: [plain(random, resource)] } : {}),
        }
      : {}),
  }
}

/** Rights of callers and facts about themselves. */
const own = [
  '/users/me',
  '/roles/me',
  '/permissions/me',
  '/permissions/me/articles',
  '/permissions/me/articles/1',
  '/policies/me/globals',
  '/users/me?fields=*.*',
  '/settings',
  '/settings?fields=project_name',
  '/items/articles?fields=id,title',
  '/collections/articles',
  '/fields/tags',
  '/versions/' + idOf('6', 1) + '/compare',
  '/shares/info/' + idOf('7', 1),
  '/items/articles/1?version=next',
]

/** A request to a system collection of the current generation. */
export function systemRequest(random: Random): Asking {
  const { pick, below } = random
  const name = maybe(random, 2) ? pick(['users', 'roles', 'folders', 'presets', 'permissions']) : pick(names)
  const resource = resources[name] as Resource
  const path = `/${name}`
  const key = pick(resource.keys)
  const one = `${path}/${encodeURIComponent(String(key))}`
  switch (below(12)) {
    case 0:
    case 1:
      return name === 'files'
        ? { method: 'GET', path: one }
        : { method: 'POST', path, body: row(random, resource, true) }
    case 2:
      return {
        method: 'POST',
        path,
        body: name === 'files' ? {} : [row(random, resource, true), row(random, resource, true)],
      }
    case 3:
    case 4:
      return { method: 'PATCH', path: one, body: row(random, resource, false) }
    case 5:
      return { method: 'PATCH', path, body: { keys: [key, pick(resource.keys)], data: row(random, resource, false) } }
    case 6:
      return { method: 'DELETE', path: one }
    case 7:
      return maybe(random) ? { method: 'DELETE', path, body: [key, pick(resource.keys)] } : settingsRequest(random)
    case 8:
      return { method: 'GET', path: pick(own) }
    case 9:
      return { method: 'GET', path: one + queryText({ fields: [pick(resource.fields), '*'] }) }
    default:
      return { method: 'GET', path: path + queryText(query(random, resource)) }
  }
}

const settingsRequest = ({ pick }: Random): Asking =>
  pick<Asking>([
    { method: 'PATCH', path: '/settings', body: { project_name: pick(['Tandem', 'Other', null]) } },
    { method: 'PATCH', path: '/settings', body: { auth_login_attempts: pick([5, 'x']), nowhere: 1 } },
    { method: 'PATCH', path: '/users/me', body: { first_name: pick(['Me', 7]) } },
    { method: 'PATCH', path: '/users/me/track/page', body: { last_page: '/here' } },
    {
      method: 'POST',
      path: `/versions/${idOf('6', 1)}/save`,
      body: pick([{ title: 'Later' }, { nowhere: 1 }, { views: -1 }]),
    },
  ])

const legacyOwn = [
  '/_/users/me',
  '/_/permissions/me',
  '/_/permissions/me/articles',
  '/_/settings',
  '/_/settings/fields',
  '/_/fields/tags',
  '/_/items/articles?fields=id,title',
  '/server/ping',
]

export function legacySystemRequest(random: Random): Asking {
  const { pick, below } = random
  const name = pick(Object.keys(legacyResources))
  const resource = legacyResources[name] as Resource
  const path = `/_/${name}`
  const key = pick(resource.keys)
  const one = `${path}/${String(key)}`
  switch (below(10)) {
    case 0:
    case 1:
      return name === 'files'
        ? { method: 'GET', path: one }
        : { method: 'POST', path, body: row(random, resource, true) }
    case 2:
    case 3:
      return name === 'files'
        ? { method: 'GET', path: one }
        : { method: 'PATCH', path: one, body: row(random, resource, false) }
    case 4:
      return { method: 'DELETE', path: one }
    case 5:
      return { method: 'GET', path: pick(legacyOwn) }
    case 6:
      return pick<Asking>([
        {
          method: 'POST',
          path: '/_/gql',
          body: {
            query: `{ ${pick(['articles', 'authors', 'nowhere'])} { data { ${pick(['id', 'id title', 'nowhere'])} } meta { total_count } } }`,
          },
        },
        {
          method: 'POST',
          path: '/_/gql',
          body: { query: '{ directusUsers(limit: 2) { data { id email } } platform_folders { data { name } } }' },
        },
      ])
    default:
      return { method: 'GET', path: path + queryText(query(random, resource, true)) }
  }
}

/** A document for `/graphql/system`. */
export function systemGraphqlRequest(random: Random): Asking {
  const { pick } = random
  const name = maybe(random, 2) ? pick(['users', 'roles', 'folders', 'presets', 'permissions']) : pick(names)
  const resource = resources[name] as Resource
  const key = pick(resource.keys)
  const shown = `{ ${[...new Set(['id', plain(random, resource)].filter((each) => !/^(role|user|parent|policy|policies|users|roles|permissions|children|panels|dashboard|folder|recipient|sender|user_created)$/.test(each)))].join(' ')} }`
  const { aggregate: _, groupBy: __, fields: ___, meta: ____, filter, ...page } = query(random, resource)
  const pageArguments = Object.entries(page).map(([argument, value]) => `${argument}: ${JSON.stringify(value)}`)
  const listed = filter === undefined ? pageArguments : ['filter: $filter', ...pageArguments]
  const request = pick([
    () => ({
      query: `query${filter === undefined ? '' : ` ($filter: directus_${name}_filter)`.replace('directus', 'platform')} { ${name}${listed.length === 0 ? '' : `(${listed.join(', ')})`} ${shown} }`,
      ...(filter === undefined ? {} : { variables: { filter } }),
    }),
    () => ({ query: `{ ${name}_by_id(id: ${JSON.stringify(String(key))}) ${shown} ${name}_aggregated { countAll } }` }),
    () => ({
      query: `mutation ($data: create_platform_${name}_input!) { create_${name}_item(data: $data) ${shown} }`,
      variables: { data: row(random, resource, true) },
    }),
    () => ({
      query: `mutation ($id: ID!, $data: update_platform_${name}_input!) { update_${name}_item(id: $id, data: $data) ${shown} }`,
      variables: { id: key, data: row(random, resource, false) },
    }),
    () => ({ query: `mutation ($id: ID!) { delete_${name}_item(id: $id) { id } }`, variables: { id: key } }),
    () => ({
      query: pick([
        '{ users_me { id email } roles_me { name } }',
        '{ permissions_me policies_me_globals { admin_access } server_ping }',
        '{ settings { project_name } }',
        '{ collections_by_name(name: "articles") { collection } }',
      ]),
    }),
  ])()
  return { method: 'POST', path: '/graphql/system', body: request }
}
