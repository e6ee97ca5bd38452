/** Interfaces and options of fields of the system, which have no settings of their own. */

/** The statuses of users, in the form of the options of a status field. */
const userStatuses = {
  status_mapping: Object.fromEntries(
    ['draft', 'invited', 'active', 'suspended', 'deleted'].map((value) => [
      value,
      {
        name: value.replace(/^./, (first) => first.toUpperCase()),
        value,
        published: value === 'active',
        soft_delete: value === 'deleted',
      },
    ]),
  ),
}

const webhookStatuses = {
  status_mapping: Object.fromEntries(
    ['active', 'inactive'].map((value) => [
      value,
      {
        name: value.replace(/^./, (first) => first.toUpperCase()),
        value,
        published: value === 'active',
        soft_delete: false,
      },
    ]),
  ),
}

/** By `collection.field`. */
export const systemOptions: { readonly [place: string]: object } = {
  'platform_users.status': userStatuses,
  'platform_webhooks.status': webhookStatuses,
}

/** By `collection.field`. Clients find the statuses of a collection by the interface `status`. */
export const systemInterfaces: { readonly [place: string]: string } = {
  'platform_users.status': 'status',
  'platform_users.role': 'user-roles',
  'platform_users.avatar': 'file',
  'platform_users.password': 'password',
  'platform_users.email_notifications': 'switch',
  'platform_files.uploaded_by': 'owner',
  'platform_files.tags': 'tags',
  'platform_activity.action_by': 'user',
  'platform_webhooks.status': 'status',
  'platform_roles.enforce_2fa': 'switch',
  'platform_collections.managed': 'switch',
  'platform_collections.hidden': 'switch',
  'platform_collections.single': 'switch',
  'platform_collections.icon': 'icon',
}
