/** Planted changes of one collection with statuses, levels and choices, with the verdict that each should get. */
import { at, drop, of, type Row, row, set } from './planted-edits.ts'

const fields = 'collections  tickets  fields'
const field = (path: string, values: object) => set(`${fields}  ${path}`, values)
const right = (position: number): string => `collections  tickets  rights  Edit tickets  ${position}`
const level = 'collections  tickets  levels  0'

const readers = ['board', 'desk', 'old-desk']
const writers = ['importer', 'robot', 'till']
/** Who uses items, and who uses rights of the policy elsewhere. */
const items = ['board', 'broom', 'desk', 'importer', 'old-desk', 'robot', 'till']
const all = [...items, 'back-office', 'sharer']

export const plantedInTickets: readonly Row[] = [
  row('a role loses the policy of a collection', 'breaking', all, drop('roles  Helper', 'policies')),
  row('the policy of a collection is deleted', 'breaking', all, (root) => {
    drop('policies', 'Edit tickets')(root)
    drop('roles  Helper', 'policies')(root)
    drop('collections  tickets', 'rights')(root)
  }),
  row(
    'a policy is no longer that of administrators',
    'breaking',
    ['back-office', 'deployer'],
    drop('policies  Bosses', 'admin_access'),
  ),
  row('the list of readable fields gets shorter', 'breaking', readers, set(right(1), { fields: ['id'] })),
  row('fewer items may be changed', 'perhaps', ['robot'], set(right(2), { permissions: { kind: { _eq: 'bug' } } })),
  row('a level is lower', 'perhaps', ['robot'], set(level, { update: 'mine' })),
  row('a level is none', 'breaking', readers, drop(level, 'read')),
  row('a code is unique from now on', 'perhaps', ['importer', 'robot'], field('code  column', { is_unique: true })),
  row('a number may not be null from now on', 'breaking', writers, field('amount', { column: { is_nullable: false } })),
  row('a large integer is an integer', 'breaking', ['board', 'desk'], field('amount', { type: 'integer' })),
  row('a field below an item is renamed', 'breaking', ['desk', 'shop'], (root) => {
    const { name, ...rest } = at(root, 'collections  authors  fields')
    Object.assign(at(root, 'collections  authors'), {
      fields: { ...rest, full_name: { ...(name as object), renamed_from: 'name' } },
    })
  }),
  row('a relation ends', 'breaking', ['board', 'desk'], drop(`${fields}  author`, 'relation')),
  row('a collection is hidden from people', 'safe', [], set('collections  tickets  display', { hidden: true })),
  row(
    'a choice is removed',
    'perhaps',
    ['robot'],
    field('kind  display', { options: { choices: [{ text: 'Bug', value: 'bug' }] } }),
  ),
  row('a default is removed', 'perhaps', writers, drop(`${fields}  kind  column`, 'default_value')),
  row(
    'the default of what is never null is removed',
    'breaking',
    writers,
    drop(`${fields}  status  column`, 'default_value'),
  ),
  row(
    'a primary key has another type',
    'breaking',
    items,
    field('id', { type: 'string', column: { is_primary_key: true } }),
  ),
  row('tickets are one item from now on', 'breaking', items, set('collections  tickets  display', { singleton: true })),
  row('a status is removed', 'perhaps', ['robot'], drop(`${fields}  status  display  options  status_mapping`, 'open')),
  row(
    'a status no longer deletes',
    'perhaps',
    ['board', 'broom', 'desk', 'old-desk', 'robot'],
    drop(`${fields}  status  display  options  status_mapping  gone`, 'soft_delete'),
  ),
  row('items are no longer archived', 'perhaps', readers, drop('collections  tickets  display', 'archive_field')),
]

export const tickets = {
  roles: {
    Helper: { policies: ['Edit tickets'] },
    Boss: { policies: ['Bosses'] },
    Agent: {},
    Trainee: { parent: 'Helper' },
  },
  policies: {
    'Edit tickets': { app_access: true },
    Bosses: { admin_access: true },
    Visitors: { public: true },
    'Edit all tickets': {},
  },
  collection: {
    display: { archive_field: 'status', archive_value: 'gone', unarchive_value: 'open', versioning: true },
    fields: {
      id: { type: 'integer', column: { is_primary_key: true, has_auto_increment: true } },
      code: { type: 'string', column: { max_length: 40 } },
      amount: { type: 'bigInteger' },
      price: { type: 'decimal', column: { numeric_precision: 10, numeric_scale: 4 } },
      kind: {
        type: 'string',
        column: { default_value: 'bug' },
        display: {
          options: {
            choices: [
              { text: 'Bug', value: 'bug' },
              { text: 'Wish', value: 'wish' },
            ],
          },
        },
      },
      status: {
        type: 'string',
        column: { default_value: 'open', is_nullable: false },
        display: {
          interface: 'status',
          options: { status_mapping: { open: { name: 'Open' }, gone: { name: 'Gone', soft_delete: true } } },
        },
        version_8: { type: 'status' },
      },
      author: {
        type: 'integer',
        display: { special: ['m2o'] },
        relation: { to: 'authors', on_delete: 'SET NULL' },
      },
      owner: { type: 'integer' },
    },
    rights: {
      'Edit tickets': [
        { action: 'create', fields: ['*'], presets: { kind: 'bug' } },
        { action: 'read', fields: ['*'] },
        { action: 'update', fields: ['*'] },
        { action: 'delete', fields: ['*'] },
        { action: 'share', fields: ['*'] },
      ],
      Visitors: [{ action: 'read', fields: ['code'] }],
    },
    levels: [{ role: 'Agent', status: 'open', create: 'full', read: 'full', update: 'full' }],
  },
}

export const usesOfTickets = [
  ...of(
    'desk',
    'readItems',
    'read',
    'tickets',
    'tickets.code',
    'tickets.amount',
    'tickets.author',
    'tickets.author.name',
  ),
  ...of('board', 'readItems', 'read', 'tickets', 'tickets.*'),
  ...of('robot', 'createItems', 'create', 'tickets', 'tickets.code', 'tickets.kind'),
  ...of('robot', 'updateItem', 'update', 'tickets', 'tickets.status'),
  ...of('importer', 'createItems', 'create', 'tickets', 'tickets.code'),
  ...of('broom', 'deleteItems', 'delete', 'tickets'),
  ...of('deployer', 'applySchema', 'call', ''),
  ...of('back-office', 'readPresets', 'read', 'platform_presets'),
  ...of('mover', 'deleteItem', 'delete', 'authors'),
  ...of('sharer', 'createShares', 'create', 'platform_shares', 'platform_shares.item'),
  ...of('drafter', 'readVersions', 'read', 'platform_versions'),
  ...of('till', 'createItems', 'create', 'tickets', 'tickets.price'),
  ...of('old-desk', 'readItems', 'read', 'tickets', 'tickets.status').map((use) => ({ ...use, generation: 'legacy' })),
]
