/** Planted changes of the tickets that allow less than before, or do something else, with the verdict that each should get. */
import { at, drop, type Row, row, set } from './planted-edits.ts'

const fields = 'collections  tickets  fields'
const field = (path: string, values: object) => set(`${fields}  ${path}`, values)
const right = (position: number): string => `collections  tickets  rights  Edit tickets  ${position}`
const level = 'collections  tickets  levels  0'

const readers = ['board', 'desk', 'old-desk']
const writers = ['importer', 'robot', 'till']
const all = ['back-office', 'board', 'broom', 'desk', 'importer', 'old-desk', 'robot', 'sharer', 'till']

const ofRights: readonly Row[] = [
  row('fewer fields of new items may be given', 'breaking', ['robot'], set(right(0), { fields: ['code', 'price'] })),
  row('fewer items may be deleted', 'perhaps', ['broom'], set(right(3), { permissions: { kind: { _eq: 'bug' } } })),
  row('changes are validated', 'perhaps', ['robot'], set(right(2), { validation: { status: { _neq: 'gone' } } })),
  row('a preset of new items is removed', 'perhaps', writers, drop(right(0), 'presets')),
  row('a preset of new items has another value', 'perhaps', writers, set(right(0), { presets: { kind: 'wish' } })),
  row('a right to share is lost', 'breaking', ['sharer'], (root) => {
    ;(at(root, 'collections  tickets  rights')['Edit tickets'] as unknown[]).splice(4, 1)
  }),
  row('a policy is no longer that of everybody', 'breaking', readers, drop('policies  Visitors', 'public')),
  row(
    'a policy takes addresses of one network',
    'perhaps',
    all,
    set('policies  Edit tickets', { ip_access: ['10.0.0.0/8'] }),
  ),
  row('a policy demands a second factor', 'perhaps', all, set('policies  Edit tickets', { enforce_tfa: true })),
  row(
    'administrators need a second factor',
    'perhaps',
    ['back-office', 'deployer'],
    set('policies  Bosses', { enforce_tfa: true }),
  ),
  row(
    'a role loses the policy of administrators',
    'breaking',
    ['back-office', 'deployer'],
    drop('roles  Boss', 'policies'),
  ),
  row('the policy of administrators is deleted', 'breaking', ['back-office', 'deployer'], (root) => {
    drop('policies', 'Bosses')(root)
    drop('roles  Boss', 'policies')(root)
  }),
  row('a role has no parent any more', 'breaking', all, drop('roles  Trainee', 'parent')),
  row('a role gets a parent', 'safe', [], set('roles  Agent', { parent: 'Helper' })),
  row('a level lets read those of the role', 'perhaps', readers, set(level, { read: 'role' })),
  row('a level hides a field', 'breaking', ['board', 'desk'], set(level, { read_field_blacklist: ['code'] })),
  row('a level takes a field from writers', 'breaking', ['robot'], set(level, { write_field_blacklist: ['kind'] })),
  row('a level is higher', 'safe', [], set(level, { delete: 'mine' })),
  row('a level wants a comment with each change', 'perhaps', ['robot'], set(level, { explain: 'update' })),
  row('an empty condition', 'safe', [], set(right(1), { permissions: {} })),
  row('everybody reads more', 'safe', [], set('collections  tickets  rights  Visitors  0', { fields: ['*'] })),
  row('a right moves to a policy of nobody', 'breaking', readers, (root) => {
    const rights = at(root, 'collections  tickets  rights') as { [policy: string]: unknown[] }
    rights['Edit all tickets'] = rights['Edit tickets']?.splice(1, 1) ?? []
  }),
]

const ofModel: readonly Row[] = [
  row(
    'items of a deleted author are deleted',
    'perhaps',
    ['mover'],
    field('author  relation', { on_delete: 'CASCADE' }),
  ),
  row(
    'an author with items cannot be deleted',
    'perhaps',
    ['mover'],
    field('author  relation', { on_delete: 'NO ACTION' }),
  ),
  row('a relation leads elsewhere', 'breaking', ['board', 'desk'], field('author  relation', { to: 'categories' })),
  row(
    'a field refers to items from now on',
    'perhaps',
    ['board'],
    field('owner', { relation: { to: 'authors' }, display: { special: ['m2o'] } }),
  ),
  row('a code is required', 'breaking', writers, field('code  display', { required: true })),
  row('a default is another one', 'perhaps', writers, field('kind  column', { default_value: 'wish' })),
  row('a default is new', 'safe', [], field('code  column', { default_value: 'none' })),
  row(
    'a number has fewer digits',
    'breaking',
    ['till'],
    field('price  column', { numeric_precision: 8, numeric_scale: 2 }),
  ),
  row('a number has more digits', 'safe', [], field('price  column', { numeric_precision: 12, numeric_scale: 6 })),
  row(
    'a number has more digits after the point, and so fewer before it',
    'breaking',
    ['till'],
    field('price  column', { numeric_scale: 6 }),
  ),
  row(
    'the server sets who created an item',
    'perhaps',
    ['board', 'robot'],
    field('kind  display', { special: ['user-created'] }),
  ),
  row(
    'the server sets when an item was changed',
    'perhaps',
    ['board', 'old-desk', 'robot'],
    field('status  display', { special: ['date-updated'] }),
  ),
  row('a text is a list of words', 'perhaps', ['board', 'robot'], field('kind  display', { special: ['cast-csv'] })),
  row('lists have another order', 'perhaps', readers, set('collections  tickets  display', { sort_field: 'owner' })),
  row('a decimal is a float', 'breaking', ['board', 'till'], field('price', { type: 'float', column: {} })),
  row('a text is longer', 'safe', [], field('code', { type: 'text', column: {} })),
  row('a length is bounded', 'breaking', ['importer', 'robot'], field('code  column', { max_length: 20 })),
  row(
    'another type is declared for version 8',
    'perhaps',
    ['old-desk'],
    field('status  version_8', { type: 'string' }),
  ),
  row('a field is locked in version 8', 'safe', [], field('code', { version_8: { locked: true } })),
  row('versions end', 'perhaps', ['drafter'], set('collections  tickets  display', { versioning: false })),
  row('a hidden field', 'safe', [], field('code  display', { hidden: true })),
  row('a field cannot be edited in forms', 'safe', [], field('code  display', { readonly: true })),
  row('statuses have another order', 'safe', [], (root) => {
    const options = at(root, `${fields}  status  display  options`)
    const { open, ...rest } = options['status_mapping'] as { readonly [status: string]: unknown }
    options['status_mapping'] = { ...rest, open }
  }),
]

export const plantedNarrower: readonly Row[] = [...ofRights, ...ofModel]
