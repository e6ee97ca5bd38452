/** Deletes what somebody has agreed to. */
import { client } from '../../client.ts'

type Agreed =
  | { readonly kind: 'delete-collections'; readonly collections: readonly string[] }
  | { readonly kind: 'delete-field'; readonly collection: string; readonly field: string }

export const deleteAgreed = (agreed: Agreed): Promise<unknown> =>
  agreed.kind === 'delete-collections'
    ? client.collections.deleteMany([...agreed.collections])
    : client.fields.delete(agreed.collection, agreed.field)
