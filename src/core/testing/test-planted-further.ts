/** Faults of relations, dynamic values, presets, shares, and levels of statuses. */
import {
  bob,
  change,
  editing,
  editors,
  guests,
  id,
  ignored,
  level,
  own,
  type PlantedFault,
  reading,
  staff,
  unreached,
  values,
  where,
} from './test-planted-world.ts'

const add = (collection: string, action: string, more: { readonly [column: string]: string } = {}): string => {
  const columns = { fields: '*', ...more }
  const texts = Object.values(columns).map((each) => `'${each}'`)
  return `insert into platform_permissions (id, policy, collection, action, ${Object.keys(columns).join(', ')})
    values (510, '${editing}', '${collection}', '${action}', ${texts.join(', ')})`
}

/** A level of a status, beside those of `more`. */
const stages = (columns: string, ...rows: readonly string[]): string =>
  `delete from platform_permissions where id in (501, 502);
  insert into platform_role_levels (id, role, collection, status, ${columns}) values
  ${rows.map((row, at) => `(${701 + at}, '${editors}', 'articles', ${row})`).join(', ')}`

export const plantedFurther: readonly PlantedFault[] = [
  [
    'an address list with another separator',
    `update platform_policies set ip_access = '10.0.0.1 10.0.0.9' where id = '${editing}'`,
    { ...own, ip: '10.0.0.9' },
    { code: 'policy-address', says: 'counts only from 10.0.0.1 10.0.0.9', policy: editing },
  ],
  [
    'a policy that moved to a role above another one',
    `insert into platform_roles (id, name, parent) values ('${id('b9')}', 'Top', null);
    update platform_roles set parent = '${id('b9')}' where id = '${guests}';
    update platform_access set role = '${id('b9')}' where policy = '${reading}'`,
    { collection: 'authors' },
    { code: 'policy-not-held', says: 'held by role "Top"', policy: reading },
  ],
  [
    'roles that are above each other',
    `update platform_roles set parent = '${editors}' where id = '${staff}'`,
    { collection: 'authors', key: 1 },
    { granted: true, code: 'rule', says: 'policy "Reading" (through role "Staff") grants it', permission: 503 },
  ],
  ignored(
    'a unit of time that is misspelt',
    where({ date_created: { _lt: '$NOW(-1 dya)' } }),
    'Expected a dynamic value but received "$NOW(-1 dya)"',
  ),
  ignored(
    'a misspelt variable',
    where({ title: { _eq: '$CURRENT_USERS' } }),
    'Expected a dynamic value but received "$CURRENT_USERS"',
  ),
  ignored(
    'a variable in small letters',
    where({ user_created: { _eq: '$current_user' } }),
    'Expected a UUID but received "$current_user"',
  ),
  ignored('a moment beside a number', where({ views: { _lt: '$NOW' } }), 'received "$NOW"'),
  ignored(
    'a field of the role of the user that roles do not have',
    where({ title: { _eq: '$CURRENT_USER.role.nme' } }),
    'Field nme of collection platform_roles does not exist',
  ),
  unreached(
    'the roles of the user in place of the user',
    1,
    { user_created: { _in: '$CURRENT_ROLES' } },
    'user_created _in [$CURRENT_ROLES], which',
  ),
  [
    'related items of which no rule allows to read the key',
    change(501, `fields = 'id,comments'`),
    { key: 1, field: 'comments' },
    {
      code: 'field-unreadable',
      says: 'names "comments", and no rule allows to read the key of items of comments',
      permission: 501,
    },
  ],
  [
    'related items of which a rule hides the key',
    `${change(501, `fields = 'id,comments'`)}; ${add('comments', 'read', { fields: 'body' })}`,
    { key: 1, field: 'comments' },
    { code: 'field-unreadable', says: 'no rule allows to read the key of items of comments', permission: 501 },
  ],
  [
    'a junction that no rule is about',
    change(501, `fields = '*'`),
    { key: 1, field: 'tags' },
    { code: 'field-unreadable', says: 'the key of items of articles_tags', permission: 501 },
  ],
  [
    'a field that only divides forms',
    change(501, `fields = 'id,divider'`),
    { key: 1, field: 'divider' },
    { code: 'field-unreadable', says: 'names "divider", which holds no value', permission: 501 },
  ],
  [
    'headers of webhooks, which hold credentials',
    add('platform_webhooks', 'read'),
    { collection: 'platform_webhooks', field: 'headers' },
    { code: 'field-unreadable', says: 'names "headers", which only administrators read', permission: 510 },
  ],
  [
    'a path in a list of fields',
    change(501, `fields = 'id,author.name'`),
    { key: 1, field: 'author' },
    { code: 'rule-ignored', says: 'Fields author.name of collection articles do not exist', permission: 501 },
  ],
  unreached(
    'a condition on related items that none of them meets',
    1,
    { comments: { _some: { body: { _eq: 'zzz' } } } },
    'where some comments has (body _eq "zzz"), which',
  ),
  ignored(
    'a condition through a junction that skips the junction',
    where({ tags: { name: { _eq: 'sport' } } }),
    'Field name of collection articles_tags does not exist',
  ),
  ignored(
    'a misspelt field behind two relations',
    where({ author: { region: { nam: { _eq: 'North' } } } }),
    'Field nam of collection regions does not exist',
  ),
  unreached('no alternative at all', 1, { _or: [] }, 'reaches only items where no item, which'),
  ignored(
    'a function of a field of another type',
    where({ 'year(title)': { _eq: 2023 } }),
    'Function "year" does not apply to a field of type string',
  ),
  [
    'a validation with half a regular expression',
    change(502, `validation = '{"title":{"_regex":"["}}'`),
    { action: 'update', key: 1 },
    { code: 'rule-ignored', says: 'Expected a regular expression', permission: 502 },
  ],
  [
    'a preset of a value that users do not have',
    change(502, `presets = '{"body":"$CURRENT_USER.nickname"}'`),
    { action: 'update', key: 1, field: 'title' },
    { code: 'rule-ignored', says: 'Field nickname of collection platform_users does not exist', permission: 502 },
  ],
  [
    'a rule to create shares that does not name the item',
    `${add('platform_shares', 'create', { fields: 'name,collection' })};
    insert into platform_permissions (id, policy, collection, action, fields) values (511, '${editing}', 'articles', 'share', '*')`,
    { action: 'share', key: 1 },
    { code: 'refused', says: 'no rule to create one names "item"' },
  ],
  [
    'a right to create shares of a collection that may not be shared',
    add('platform_shares', 'create'),
    { action: 'share', key: 1 },
    { code: 'other-action', says: 'are about read, update, not share' },
  ],
  [
    'a share of somebody else',
    `${add('platform_shares', 'read', { permissions: '{"user_created":{"_eq":"$CURRENT_USER"}}' })};
    insert into platform_shares (id, collection, item, user_created) values ('${id('f1')}', 'articles', '1', '${bob}')`,
    { collection: 'platform_shares', key: id('f1') },
    { code: 'item-not-covered', says: 'user_created _eq $CURRENT_USER', permission: 510 },
  ],
  [
    'a level for a status that is misspelt',
    stages('read', `'drafft', 'full'`),
    { key: 3 },
    { code: 'item-not-covered', says: 'status _eq "drafft", which', level: 701 },
  ],
  [
    'a level to create in another status',
    stages('"create"', `'draft', 'full'`),
    { action: 'create', ...values({ title: 'x', status: 'published' }) },
    { code: 'values-refused', says: 'refuses the value of "status"', level: 701 },
  ],
  [
    'a level whose list of statuses not to set has the status',
    stages('update, status_blacklist', `'draft', 'full', 'published'`),
    { action: 'update', key: 3, ...values({ status: 'published' }) },
    { code: 'values-refused', says: 'status _nin ["published", "archived"]', level: 701 },
  ],
  [
    'a level for the forms of new items',
    stages('"create"', `'$create', 'full'`),
    { action: 'create' },
    { code: 'level', says: 'does not count, because the role has levels for statuses', level: 701 },
  ],
  [
    'a level for the items of the own role',
    `${level('read', `'articles', 'role'`)}; update articles set user_created = '${bob}' where id = 2`,
    { key: 2 },
    { code: 'item-not-covered', says: 'some user_created has (role _eq $CURRENT_ROLE)', level: 701 },
  ],
  [
    'a word that is no level',
    level('read', `'articles', 'all'`),
    own,
    { code: 'level', says: '("all" for read) allows nothing, because it is none of the levels', level: 701 },
  ],
  [
    'a level of a collection that does not exist',
    level('read', `'article', 'full'`),
    own,
    { code: 'rule-ignored', says: 'grants nothing: Collection article does not exist', level: 701, role: editors },
  ],
  [
    'a level of another role',
    `insert into platform_role_levels (id, role, collection, read) values (701, '${guests}', 'ledger', 'full')`,
    { collection: 'ledger' },
    { code: 'level-not-held', says: 'Level 701 of version 8 (role "Guest") allows it, but is not held', role: guests },
  ],
]
