/** Options of fields of the system, which have no settings of their own. */

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

/** By `collection.field`. */
export const systemOptions: { readonly [place: string]: object } = { 'platform_users.status': userStatuses }
