/** The JSON Schemas of the files of a project, made of the schemas of the spec. */
import { webhookFacts } from '../../core/guards/server-fields.ts'
import type { Entry, FileKind } from '../../domain/ports/configuration.ts'
import spec from '../../generated/current-spec.json' with { type: 'json' }
import type { SpecDocument } from '../../http/validation/enforcement.ts'

type Schemas = { readonly [name: string]: Entry }

const described = spec.components.schemas as unknown as Schemas

const propertiesOf = (name: string): Schemas => described[name]?.['properties'] as Schemas

/** Properties of a schema of the spec without those that follow from names and types. */
const pick = (name: string, leftOut: readonly string[]): Schemas =>
  Object.fromEntries(Object.entries(propertiesOf(name)).filter(([key]) => !leftOut.includes(key)))

const text = (description: string): Entry => ({ type: 'string', minLength: 1, description })

const object = (properties: object, more: object = {}): Entry => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
})

const mapOf = (value: Entry, description: string): Entry => ({
  type: 'object',
  additionalProperties: value,
  description,
})

const formerName = text('The name before: data and rights are kept.')

const field = object(
  {
    type: { $ref: '#/components/schemas/FieldTypeName' },
    renamed_from: formerName,
    column: object(
      pick('ColumnSchema', [
        'name',
        'table',
        'schema',
        'length',
        'foreign_key_schema',
        'foreign_key_table',
        'foreign_key_column',
        'allowed_values',
      ]),
      { description: 'What differs from an ordinary column of this type.' },
    ),
    display: object(pick('FieldMeta', ['id', 'collection', 'field', 'system']), {
      description: 'Settings in applications; without it the field is only a column.',
    }),
    relation: object(
      {
        to: { type: ['string', 'null'], description: 'The related collection; null where several may be meant.' },
        foreign_key: { type: 'boolean', description: 'False without a foreign key in the database.' },
        on_update: { $ref: '#/components/schemas/ReferentialAction' },
        on_delete: { $ref: '#/components/schemas/ReferentialAction' },
        options: object(pick('RelationMeta', ['id', 'many_collection', 'many_field', 'one_collection', 'system']), {
          description: 'Settings of the relation; without it there is only a foreign key.',
        }),
      },
      { required: ['to'] },
    ),
    version_8: object(
      {
        type: { type: ['string', 'null'], description: 'The declared type, such as `status`, `sort` or `owner`.' },
        locked: { type: 'boolean' },
        hidden_browse: { type: 'boolean' },
      },
      { description: 'What only applications for version 8 see.' },
    ),
  },
  { required: ['type'] },
)

const right = object(pick('Permission', ['id', 'policy', 'collection', 'role', 'system']), { required: ['action'] })

const level: Entry = { type: ['string', 'null'], maxLength: 16 }
const list: Entry = { type: ['array', 'null'], items: { type: 'string' } }

const levels = object(
  {
    role: text('Name of the role.'),
    status: { type: ['string', 'null'] },
    ...Object.fromEntries(['create', 'read', 'update', 'delete', 'comment', 'explain'].map((name) => [name, level])),
    ...Object.fromEntries(
      ['read_field_blacklist', 'write_field_blacklist', 'status_blacklist'].map((name) => [name, list]),
    ),
  },
  { required: ['role'] },
)

const openTo = (properties: object, required: readonly string[] = []): Entry => ({
  type: 'object',
  properties,
  required,
  // Fields that a project added to a system collection.
  additionalProperties: true,
})

const named: Entry = { name: text('Name, if it is not the name of the file.'), renamed_from: formerName }

const stamps = ['id', 'date_created', 'user_created']

const files: { readonly [K in FileKind]: Entry } = {
  collection: object(
    {
      collection: text('Name of the collection.'),
      renamed_from: formerName,
      folder: { type: 'boolean', description: 'Groups other collections and has no items.' },
      comment: text('Comment of the table, where there is no display, which has a note.'),
      display: object(pick('CollectionMeta', ['collection', 'system']), {
        description: 'Settings in applications; without it the collection is only a table.',
      }),
      fields: mapOf(field, 'The fields by name.'),
      rights: mapOf({ type: 'array', items: right }, 'What a policy allows, by the name of the policy.'),
      levels: { type: 'array', items: levels, description: 'Rights of roles as levels, as version 8 has them.' },
    },
    { required: ['collection'], not: { required: ['comment', 'display'] } },
  ),
  role: openTo(
    {
      ...pick('Role', ['id', 'name', 'users', 'children', 'external_id']),
      role: text('Name of the role.'),
      ...named,
      fixed: { enum: ['administrator', 'public'], description: 'One of the two roles that every project has.' },
      parent: { type: ['string', 'null'], description: 'Name of the role whose policies this one inherits.' },
      policies: { type: 'array', items: { type: 'string' }, description: 'Names of the policies, in their order.' },
    },
    ['role'],
  ),
  policy: openTo(
    {
      ...pick('Policy', ['id', 'name', 'roles', 'users', 'permissions']),
      policy: text('Name of the policy.'),
      ...named,
      fixed: { enum: ['administrator', 'public'], description: 'One of the two policies that every project has.' },
      of_role: text('Name of the role whose own policy this is.'),
      public: { type: 'boolean', description: 'Applies to everybody.' },
    },
    ['policy'],
  ),
  dashboard: openTo(
    {
      ...pick('Dashboard', [...stamps, 'name', 'panels']),
      dashboard: text('Name of the dashboard.'),
      panels: {
        type: 'array',
        items: openTo(pick('Panel', [...stamps, 'dashboard']), ['type', 'position_x', 'position_y', 'width', 'height']),
      },
    },
    ['dashboard'],
  ),
  translations: object(
    { language: text('Code of the language.'), texts: mapOf({ type: 'string' }, 'The texts by key.') },
    { required: ['language', 'texts'] },
  ),
  settings: openTo({
    ...pick('Settings', [
      'id',
      'project_logo',
      'public_foreground',
      'public_background',
      'public_favicon',
      'storage_default_folder',
    ]),
    public_registration_role: { type: ['string', 'null'], description: 'Name of the role of users who register.' },
  }),
  presets: {
    type: 'array',
    items: openTo({
      ...pick('Preset', ['id', 'user', 'role']),
      role: { type: ['string', 'null'], description: 'Name of the role that the preset is for; null for all.' },
    }),
  },
  webhooks: {
    type: 'array',
    items: openTo(
      {
        ...pick('Webhook', [...stamps, 'date_updated', 'user', 'role', 'secret', ...webhookFacts]),
        role: { type: ['string', 'null'], description: 'Name of the role whose rights decide what is sent.' },
        secret: { type: 'string', description: 'A reference to a variable, such as `$env:WEBHOOK_SECRET`.' },
      },
      ['name', 'url', 'collections', 'actions'],
    ),
  },
}

/** The schemas of all kinds with what they refer to. */
export const fileSchemas = {
  openapi: spec.openapi,
  info: spec.info,
  paths: {},
  components: {
    schemas: {
      ...described,
      ...Object.fromEntries(Object.entries(files).map(([kind, schema]) => [`file-${kind}`, schema])),
    },
  },
} as unknown as SpecDocument

/** The schema of one kind as a document of its own. */
export function schemaOf(kind: FileKind): object {
  const needed = new Map<string, unknown>()
  const collect = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(collect)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) => {
        if (key.startsWith('x-') || key === 'example' || key === 'examples') return []
        if (key !== '$ref' || typeof each !== 'string') return [[key, collect(each)]]
        const name = each.split('/').at(-1) ?? ''
        if (!needed.has(name)) {
          needed.set(name, null)
          needed.set(name, collect(described[name]))
        }
        return [[key, `#/$defs/${name}`]]
      }),
    )
  }
  const schema = collect(files[kind]) as object
  const defs = Object.fromEntries([...needed].toSorted(([left], [right]) => (left < right ? -1 : 1)))
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...schema,
    ...(needed.size === 0 ? {} : { $defs: defs }),
  }
}
