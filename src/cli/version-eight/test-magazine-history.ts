import { insert } from './test-installation.ts'

const entry = (row: object) => ({ ip: '127.0.0.1', user_agent: 'x', comment: null, ...row })
const revision = (row: object) => ({ parent_collection: null, parent_item: null, parent_changed: 0, ...row })

export const history: readonly string[] = [
  insert(
    'directus_activity',
    entry({
      id: 1,
      action: 'authenticate',
      action_by: 1,
      action_on: '2020-01-01 09:00:00',
      collection: 'directus_users',
      item: '1',
    }),
    entry({
      id: 2,
      action: 'create',
      action_by: 4,
      action_on: '2020-01-01 10:00:00',
      collection: 'articles',
      item: '10',
    }),
    entry({
      id: 3,
      action: 'update',
      action_by: 1,
      action_on: '2020-01-01 11:00:00',
      collection: 'directus_users',
      item: '4',
    }),
    entry({
      id: 5,
      action: 'comment',
      action_by: 4,
      action_on: '2020-01-01 12:00:00',
      collection: 'articles',
      item: '10',
      comment: 'Well done 👍',
    }),
  ),
  insert(
    'directus_revisions',
    revision({
      id: 1,
      activity: 2,
      collection: 'articles_translations',
      item: '1',
      data: { id: 1, title: 'Erster' },
      delta: { title: 'Erster' },
      parent_collection: 'articles',
      parent_item: '10',
      parent_changed: 1,
    }),
    revision({
      id: 2,
      activity: 2,
      collection: 'articles',
      item: '10',
      data: { id: 10, title: 'First', owner: 4, cover: 2 },
      delta: { title: 'First' },
    }),
    revision({
      id: 3,
      activity: 3,
      collection: 'directus_users',
      item: '4',
      data: { id: 4, email: 'bob@example.com', password: 'secret', role: 3, locale: 'en-US' },
      delta: { locale: 'en-US' },
    }),
  ),
  insert('directus_webhooks', {
    id: 1,
    status: 'active',
    http_action: 'post',
    url: 'https://example.com/hook',
    collection: 'articles',
    directus_action: 'item.create:after',
  }),
]
