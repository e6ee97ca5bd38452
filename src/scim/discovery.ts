/** Discovery endpoints of SCIM (RFC 7643, sections 5 to 7). */
import { addressOf, mostPerPage, type ScimContext, urnOf } from './resource.ts'
import type { Document } from './types.ts'

const metaOf = (site: ScimContext, resourceType: string, ...path: readonly string[]) => ({
  meta: { resourceType, location: addressOf(site, ...path) },
})

const supported = (is: boolean) => ({ supported: is })

export const describeService = (site: ScimContext): readonly Document[] => [
  {
    schemas: [urnOf('ServiceProviderConfig')],
    patch: supported(true),
    bulk: { ...supported(false), maxOperations: 0, maxPayloadSize: 0 },
    filter: { ...supported(true), maxResults: mostPerPage },
    changePassword: supported(false),
    sort: supported(false),
    etag: supported(false),
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token for SCIM, or the static token of a user, in the header Authorization.',
        primary: true,
      },
    ],
    ...metaOf(site, 'ServiceProviderConfig', 'ServiceProviderConfig'),
  },
]

export const describeResourceTypes = (site: ScimContext): readonly Document[] =>
  [
    { name: 'User', description: 'Users of the project.' },
    { name: 'Group', description: 'Roles, with their users as members.' },
  ].map(({ name, description }) => ({
    schemas: [urnOf('ResourceType')],
    id: name,
    name,
    description,
    endpoint: `/${name}s`,
    schema: urnOf(name),
    schemaExtensions: [],
    ...metaOf(site, 'ResourceType', 'ResourceTypes', name),
  }))

type Facts = {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference'
  readonly multiValued?: boolean
  readonly required?: boolean
  readonly caseExact?: boolean
  readonly mutability?: 'readOnly' | 'readWrite' | 'immutable'
  readonly returned?: 'always' | 'default'
  readonly uniqueness?: 'none' | 'server'
  readonly subAttributes?: readonly object[]
  readonly referenceTypes?: readonly string[]
}

const attribute = (name: string, description: string, facts: Facts = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: true,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...facts,
})

const externalId = attribute('externalId', 'Id at the identity provider; set once.', {
  mutability: 'immutable',
  uniqueness: 'server',
})

const referenceTo = (type: 'User' | 'Group', mutability: 'readOnly' | 'immutable') => [
  attribute('value', `Id of the ${type.toLowerCase()}.`, { mutability }),
  attribute('$ref', 'Address of the resource.', { type: 'reference', referenceTypes: [type], mutability: 'readOnly' }),
  attribute('display', 'Name for people.', { mutability: 'readOnly' }),
]

const ofUser = [
  externalId,
  attribute('userName', 'Address of the user.', { required: true, caseExact: false, uniqueness: 'server' }),
  attribute('name', 'Parts of the name.', {
    type: 'complex',
    subAttributes: [attribute('familyName', 'Last name.'), attribute('givenName', 'First name.')],
  }),
  attribute('displayName', 'First and last name, or the address.', { mutability: 'readOnly' }),
  attribute('emails', 'The address as a list with one entry.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The address.', { caseExact: false }),
      attribute('type', 'Always work.'),
      attribute('primary', 'Always true.', { type: 'boolean' }),
    ],
  }),
  attribute('title', 'What the user is at the company.'),
  attribute('locale', 'Language of the user.'),
  attribute('timezone', 'Time zone of the user.'),
  attribute('active', 'Whether the user can log in.', { type: 'boolean' }),
  attribute('groups', 'The role of the user.', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: referenceTo('Group', 'readOnly'),
  }),
]

const ofGroup = [
  externalId,
  attribute('displayName', 'Name of the role.', { required: true }),
  attribute('members', 'Users with the role. A user has one role at most.', {
    type: 'complex',
    multiValued: true,
    subAttributes: referenceTo('User', 'immutable'),
  }),
]

export const describeSchemas = (site: ScimContext): readonly Document[] =>
  [
    { name: 'User', description: 'A user of the project.', attributes: ofUser },
    { name: 'Group', description: 'A role of the project.', attributes: ofGroup },
  ].map(({ name, description, attributes }) => ({
    schemas: [urnOf('Schema')],
    id: urnOf(name),
    name,
    description,
    attributes,
    ...metaOf(site, 'Schema', 'Schemas', urnOf(name)),
  }))
