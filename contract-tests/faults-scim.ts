/** Requests of identity providers whose outcome depends on the world's data. */
import type { Extra } from './data-cases.ts'

const refused = (operation: string, rule: string, part: Pick<Extra, 'path' | 'query' | 'body'>) =>
  ({ operation, kind: 'negative', rule, ...part }) as const

const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
const taken = 'admin@example.com'
/** A role without an external id. */
const unlinked = { id: '00000000-0000-4000-8000-0000000000d8' }
const linked = { displayName: 'Left by anybody', externalId: '00g-spare' }
const replace = (path: string, value: unknown) => ({ schemas, Operations: [{ op: 'replace', path, value }] })

const faults: readonly Omit<Extra, 'generation'>[] = [
  {
    operation: 'createScimUser',
    kind: 'positive',
    rule: 'a user that its author cannot read',
    as: 'writer',
    body: { userName: 'new@example.com' },
  },
  refused('createScimUser', 'an address that is taken', { body: { userName: taken } }),
  refused('replaceScimUser', 'an address that is taken', { body: { userName: taken } }),
  refused('updateScimUser', 'an address that is taken', { body: replace('userName', taken) }),
  refused('updateScimUser', 'another external id', { body: replace('externalId', 'other') }),
  refused('updateScimUser', 'a path into prototypes', { body: replace('constructor.prototype.x', 1) }),
  refused('createScimGroup', 'an external id that is taken', { body: linked }),
  refused('replaceScimGroup', 'an external id that is taken', { path: unlinked, body: linked }),
  refused('updateScimGroup', 'an external id that is taken', {
    path: unlinked,
    body: replace('externalId', '00g-spare'),
  }),
  refused('updateScimGroup', 'a member that does not exist', { body: replace('members', [{ value: 'nobody' }]) }),
  refused('deleteScimGroup', 'the administrators', { path: { id: '00000000-0000-4000-8000-000000000001' } }),
  ...['readScimUsers', 'readScimGroups'].flatMap((operation) => [
    refused(operation, 'an unknown attribute', { query: { filter: 'shoeSize eq 5' } }),
    refused(operation, 'no filter', { query: { filter: 'id eq (' } }),
  ]),
]

/** The same in both generations. */
export const scimFaults: readonly Extra[] = (['legacy', 'current'] as const).flatMap((generation) =>
  faults.map((each) => ({ ...each, generation })),
)
