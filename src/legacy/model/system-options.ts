/** Options of fields of the system, which have no settings of their own. */

const named = (value: string): string => value.replace(/^./, (first) => first.toUpperCase())

const statuses = (values: readonly string[], deleted: string | null = null) => ({
  status_mapping: Object.fromEntries(
    values.map((value) => [
      value,
      { name: named(value), value, published: value === 'active', soft_delete: value === deleted },
    ]),
  ),
})

const choices = (words: { readonly [value: string]: string }) => ({ choices: words })

/** The statuses of users and webhooks, in the form of the options of a status field. */
export const userStatuses = statuses(['draft', 'invited', 'active', 'suspended', 'deleted'], 'deleted')
export const webhookStatuses = statuses(['active', 'inactive'])

export const themes = choices({ auto: 'Auto', light: 'Light', dark: 'Dark' })

export const timezones = choices(
  Object.fromEntries(['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone, zone.replaceAll('_', ' ')])),
)

export const webhookMethods = choices({ get: 'GET', post: 'POST' })

export const webhookActions = choices({
  'item.create:after': 'Create',
  'item.update:after': 'Update',
  'item.delete:after': 'Delete',
})

const part = (field: string, shown = 'text-input') => ({ field, interface: shown, type: 'string', width: 'half' })

/** The lists of a role, whose entries are objects. */
export const moduleParts = { template: '{{ name }}', fields: [part('name'), part('link'), part('icon', 'icon')] }

const collectionParts = { fields: [part('collection', 'collections')] }

export const groupParts = {
  template: '{{ group_name }}',
  fields: [
    part('group_name'),
    { field: 'collections', interface: 'repeater', type: 'JSON', width: 'full', options: collectionParts },
  ],
}

export const localeParts = {
  template: '{{ translation }}',
  fields: [part('locale', 'language'), part('translation')],
}

/** Properties whose values are texts. */
export const textPairs = {
  keyInterface: 'text-input',
  keyDataType: 'string',
  valueInterface: 'text-input',
  valueDataType: 'string',
}
