/** What panels beside an item share: the item, and what they know of its versions. */
import type { Row } from '../client.ts'
import type { Collection, Model } from '../model/model.ts'

export type PanelProps = {
  readonly model: Model
  readonly collection: Collection
  /** The key of the item. */
  readonly item: string
  readonly onClose: () => void
}

export type Version = {
  readonly id: string
  readonly key: string
  readonly name: string | null
  readonly date_created: string | null
  readonly date_updated: string | null
  readonly user_created: { readonly first_name: string | null; readonly email: string | null } | null
}

/** What a version changes, beside the item as it is now. */
export type Comparison = {
  readonly outdated: boolean
  readonly mainHash: string
  readonly current: Row
  readonly main: Row
}
