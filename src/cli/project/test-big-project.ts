/** A realistic project as data: 40 collections and 12 roles, with everything that files can hold. */

type Entry = { readonly [key: string]: unknown }

const key: Entry = {
  type: 'integer',
  column: { is_primary_key: true, has_auto_increment: true },
  display: { hidden: true },
}
const uuid: Entry = { type: 'uuid', column: { is_primary_key: true }, display: { special: ['uuid'] } }

const scalars: readonly (readonly [string, Entry])[] = [
  [
    'title',
    {
      type: 'string',
      column: { max_length: 120, is_nullable: false },
      display: { interface: 'input', required: true, sort: 2 },
    },
  ],
  [
    'slug',
    {
      type: 'string',
      column: { max_length: 80, is_unique: true },
      display: { interface: 'input', options: { slug: true, trim: true } },
    },
  ],
  ['body', { type: 'text', display: { interface: 'input-rich-text-html', note: 'What readers see' } }],
  ['price', { type: 'decimal', column: { numeric_precision: 12, numeric_scale: 3, default_value: 0 } }],
  ['weight', { type: 'float', display: {} }],
  ['views', { type: 'bigInteger', column: { default_value: 0, is_indexed: true }, display: { readonly: true } }],
  [
    'is_open',
    { type: 'boolean', column: { default_value: true, is_nullable: false }, display: { special: ['cast-boolean'] } },
  ],
  ['extra', { type: 'json', display: { special: ['cast-json'], interface: 'input-code' } }],
  ['tags', { type: 'csv', display: { special: ['cast-csv'], interface: 'tags' } }],
  ['day', { type: 'date', display: { width: 'half' } }],
  ['at', { type: 'timestamp', display: { special: ['date-created'], width: 'half' } }],
  [
    'changed',
    { type: 'dateTime', display: { validation: { changed: { _nnull: true } }, validation_message: 'Say when' } },
  ],
]

const statusField: Entry = {
  type: 'string',
  column: { max_length: 20, default_value: 'draft' },
  display: {
    interface: 'status',
    options: {
      status_mapping: {
        draft: { name: 'Draft' },
        published: { name: 'Live' },
        deleted: { name: 'Gone', soft_delete: true },
      },
    },
  },
  version_8: { type: 'status', locked: true },
}

const names = Array.from({ length: 37 }, (_, at) => `things_${String(at + 1).padStart(2, '0')}`)

function thing(name: string, at: number): Entry {
  const previous = names[at - 1]
  const some = scalars.filter((_, place) => (place + at) % 3 !== 0)
  const related: readonly (readonly [string, Entry])[] =
    previous === undefined
      ? []
      : [
          [
            'above',
            {
              type: at % 2 === 1 ? 'integer' : 'uuid',
              display: { special: ['m2o'], interface: 'select-dropdown-m2o' },
              relation: {
                to: previous,
                on_delete: at % 3 === 0 ? 'CASCADE' : 'SET NULL',
                options: { one_field: `of_${name}` },
              },
            },
          ],
        ]
  const next = names[at + 1]
  const lists: readonly (readonly [string, Entry])[] =
    next === undefined ? [] : [[`of_${next}`, { type: 'alias', display: { special: ['o2m'], interface: 'list-o2m' } }]]
  return {
    display: {
      icon: 'box',
      note: `Number ${at}`,
      sort: at,
      ...(at % 5 === 0 ? { group: 'shelf' } : {}),
      translations: [{ language: 'de-DE', translation: `Dinge ${at}` }],
    },
    fields: Object.fromEntries([
      ['id', at % 2 === 0 ? key : uuid],
      ...some,
      ...(at % 4 === 0 ? [['status', statusField] as const] : []),
      ...related,
      ...lists,
    ]),
    rights: {
      [`Policy ${(at % 12) + 1}`]: [
        { action: 'read', fields: ['*'], permissions: { id: { _nnull: true } } },
        { action: 'update', fields: ['id'], validation: { id: { _nnull: true } } },
      ],
      Everybody: [{ action: 'read', fields: ['id'] }],
    },
    ...(at % 4 === 0
      ? {
          levels: [
            { role: 'Role 3', status: 'draft', read: 'mine', update: 'mine' },
            { role: 'Role 3', status: 'published', read: 'full' },
          ],
        }
      : {}),
  }
}

export const bigProject: { readonly [path: string]: unknown } = {
  ...Object.fromEntries(
    names.map((name, at) => [`collections/${name}.yaml`, { collection: name, ...thing(name, at) }]),
  ),
  'collections/shelf.yaml': { collection: 'shelf', folder: true, display: { icon: 'folder', collapse: 'closed' } },
  'collections/only_one.yaml': {
    collection: 'only_one',
    display: { singleton: true, accountability: null },
    fields: {
      id: key,
      motto: { type: 'string', display: { translations: [{ language: 'de-DE', translation: 'Leitspruch' }] } },
    },
  },
  'collections/bare.yaml': {
    collection: 'bare',
    comment: 'Only a table',
    fields: { code: { type: 'string', column: { is_primary_key: true, max_length: 8 } } },
  },
  'collections/platform_users.yaml': {
    collection: 'platform_users',
    fields: { department: { type: 'string', display: { interface: 'input' } } },
    rights: { 'Policy 1': [{ action: 'read', fields: ['id', 'first_name'] }] },
  },
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `roles/role-${at + 1}.yaml`,
      {
        role: `Role ${at + 1}`,
        description: `Number ${at + 1}`,
        ...(at > 0 && at % 3 === 0 ? { parent: `Role ${at}` } : {}),
        ...(at === 4 ? { enforce_tfa: true, ip_access: ['10.0.0.0/8', '192.0.2.1'] } : {}),
        policies: [`Policy ${at + 1}`, ...(at % 2 === 0 ? ['Shared'] : [])],
      },
    ]),
  ),
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `policies/policy-${at + 1}.yaml`,
      { policy: `Policy ${at + 1}`, app_access: at % 2 === 0 },
    ]),
  ),
  'policies/shared.yaml': { policy: 'Shared', icon: 'share', ip_access: ['10.0.0.0/8'] },
  'policies/own.yaml': { policy: 'Role 3 (own)', of_role: 'Role 3' },
  'policies/everybody.yaml': { policy: 'Everybody', public: true },
  'dashboards/sales.yaml': {
    dashboard: 'Sales: Ü/1',
    note: 'Weekly',
    panels: [
      {
        type: 'label',
        name: 'A',
        position_x: 1,
        position_y: 1,
        width: 4,
        height: 4,
        options: { text: 'Hi', deep: { b: 1, a: [1, 2] } },
      },
      { type: 'metric', position_x: 5, position_y: 1, width: 4, height: 4, show_header: true },
    ],
  },
  'translations/de-DE.yaml': { language: 'de-DE', texts: { hello: 'Hallo', 'price.label': '$$env:NOT_A_SECRET' } },
  'translations/fr-FR.yaml': { language: 'fr-FR', texts: { hello: 'Bonjour' } },
  'settings.yaml': {
    project_name: 'Big',
    project_color: '#112233',
    mapbox_key: '$env:MAPBOX_KEY',
    public_registration: true,
    public_registration_role: 'Role 2',
    module_bar: [{ type: 'module', id: 'content', enabled: true }],
  },
  'presets.yaml': [
    { collection: 'things_01', layout: 'cards', layout_query: { cards: { sort: ['title'] } } },
    { role: 'Role 1', collection: 'things_01', bookmark: 'Mine', filter: { title: { _eq: 'x' } }, layout: null },
    { role: 'Role 1', collection: 'things_01', bookmark: 'Mine', search: 'twice' },
  ],
}
