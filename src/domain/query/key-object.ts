import type { Filter } from './filter.ts'
import type { SelectedObject } from './query.ts'

type KeyField = {
  readonly key: string
  /** The many-to-one whose value is shown. */
  readonly field: string
  /** The name of the key of the related item. */
  readonly name: string
  readonly guard?: Filter
}

/** In place of a related item that may not be read: `{ "<name>": <its key> }`, and null where there is no item. */
export const keyObject = ({ key, name, ...field }: KeyField): SelectedObject => ({
  kind: 'object',
  key,
  selection: [{ kind: 'field', key: name, ...field }],
  orNull: true,
})
