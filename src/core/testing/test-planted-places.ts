/** Faults about system collections, shares, folders, presets, and items of special collections. */
import { bob, change, chiefs, editing, id, own, type PlantedFault, unreached, values } from './test-planted-world.ts'

const text = (value: string | null): string => (value === null ? 'null' : `'${value}'`)

const rule = (
  collection: string,
  action: string,
  more: { fields?: string; permissions?: string; presets?: string } = {},
) => {
  const { fields = '*', permissions = null, presets = null } = more
  return `insert into platform_permissions (id, policy, collection, action, fields, permissions, presets)
    values (510, '${editing}', '${collection}', '${action}', '${fields}', ${text(permissions)}, ${text(presets)})`
}

const modelWrites = ['platform_collections', 'platform_fields', 'platform_relations'].flatMap((collection) =>
  ['create', 'update', 'delete'].map(
    (action): PlantedFault => [
      `a rule to ${action} ${collection}, which administrators alone do`,
      rule(collection, action),
      { collection, action: action as 'create' },
      { code: 'administrator-demanded', says: `Only administrators ${action} items of ${collection}` },
    ],
  ),
)

export const plantedPlaces: readonly PlantedFault[] = [
  ...modelWrites,
  [
    'a rule for levels, which administrators alone write',
    rule('platform_role_levels', 'create'),
    { collection: 'platform_role_levels', action: 'create' },
    { code: 'administrator-demanded', says: 'a policy with admin_access is needed' },
  ],
  [
    'a rule to change revisions, which nobody changes',
    rule('platform_revisions', 'update'),
    { collection: 'platform_revisions', action: 'update' },
    { code: 'refused', says: 'No request writes platform_revisions' },
  ],
  [
    'policies without access to the application',
    'select 1',
    { collection: 'platform_presets', action: 'create' },
    { code: 'app-access-missing', says: 'none of "Editing", "Reading" has it' },
  ],
  [
    'a user without policies, in the application',
    'select 1',
    { user: bob, collection: 'platform_notifications' },
    { code: 'app-access-missing', says: 'has it' },
  ],
  [
    'a right to share without one to create shares',
    rule('articles', 'share'),
    { action: 'share', key: 1 },
    { code: 'refused', says: 'A share is an item of platform_shares' },
  ],
  [
    'a share of items that are not covered',
    `${rule('articles', 'share', { permissions: '{"status":{"_eq":"draft"}}' })};
    insert into platform_permissions (id, policy, collection, action, fields) values (511, '${editing}', 'platform_shares', 'create', '*')`,
    { action: 'share', key: 1 },
    { code: 'item-not-covered', says: 'status _eq "draft", which', permission: 510, policy: editing },
  ],
  [
    'a right to share users',
    rule('platform_users', 'share'),
    { collection: 'platform_users', action: 'share' },
    { code: 'refused', says: 'Items of platform_users cannot be shared: it is a system collection' },
  ],
  [
    'a share by the public',
    rule('articles', 'share'),
    { user: 'public', action: 'share' },
    { code: 'refused', says: 'Only users share items' },
  ],
  [
    'a condition through a many-to-any without a collection',
    rule('pages_blocks', 'read', { permissions: '{"item":{"text":{"_eq":"Welcome"}}}' }),
    { collection: 'pages_blocks', key: 1 },
    { code: 'rule-ignored', says: 'item', permission: 510 },
  ],
  [
    'a condition through a many-to-any on a field of the other collection',
    rule('pages_blocks', 'read', { permissions: '{"item:paragraphs":{"slug":{"_eq":"x"}}}' }),
    { collection: 'pages_blocks', key: 1 },
    { code: 'rule-ignored', says: 'Field slug of collection paragraphs does not exist', permission: 510 },
  ],
  [
    'files of a folder that the file is not in',
    `${rule('platform_files', 'read', { permissions: '{"folder":{"name":{"_eq":"Public"}}}' })};
    insert into platform_files (id, storage, filename_disk, filename_download, type) values ('${id('e1')}', 'local', 'a', 'a', 'text/plain')`,
    { collection: 'platform_files', key: id('e1') },
    { code: 'item-not-covered', says: 'folder', permission: 510 },
  ],
  [
    'a singleton whose item the condition leaves out',
    rule('homepage', 'read', { permissions: '{"headline":{"_eq":"Nothing"}}' }),
    { collection: 'homepage', key: 1 },
    { code: 'item-not-covered', says: 'headline _eq "Nothing", which', permission: 510 },
  ],
  [
    'a preset that the field refuses',
    rule('authors', 'create', { presets: '{"email":"nobody"}' }),
    { collection: 'authors', action: 'create', ...values({ name: 'Ann' }) },
    { code: 'values-refused', says: '"email"', permission: 510 },
  ],
  unreached(
    'a condition that leaves out archived items',
    4,
    { status: { _neq: 'archived' } },
    'status _neq "archived", which',
  ),
  [
    'a condition over a collection that the user may not read',
    `${change(501, `permissions = '{"author":{"name":{"_eq":"Bob"}}}'`)}; delete from platform_permissions where id = 503`,
    own,
    { code: 'item-not-covered', says: 'name _eq "Bob"', permission: 501 },
  ],
  [
    'a policy that two other users hold',
    `delete from platform_access where policy = '${chiefs}';
    insert into platform_users (id, email) values ('${id('a3')}', 'cyd@example.com');
    insert into platform_access (id, "user", policy) values ('${id('d7')}', '${bob}', '${chiefs}'), ('${id('d8')}', '${id('a3')}', '${chiefs}')`,
    { action: 'delete', key: 1 },
    { code: 'policy-not-held', says: 'held by 2 other users', policy: chiefs, permission: 504 },
  ],
]
