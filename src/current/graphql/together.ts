/** Which fields of a mutation can be one transaction. */

import { filesCollection } from '../../core/guards/guard-files.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { Root } from '../../graphql/schema-types.ts'

/** Those that show a secret once. */
export const showingSecrets: ReadonlySet<string> = new Set(['create_keys_item', 'webhooks_rotate_secret'])

/** Fields of Mutation with a name of their own that a transaction can undo. */
const undoable: ReadonlySet<string> = new Set([
  'update_users_me',
  ...showingSecrets,
  'create_comment',
  'update_comment',
  'delete_comment',
  'versions_save',
  'versions_promote',
  'utils_sort',
  'utils_revert',
  'activity_revert',
])

/** Throws `invalid-payload` for a field that cannot be in a transaction with others, such as a login or an upload. */
export function assertPart(root: Root, name: string): void {
  const isPart =
    root.kind === 'named' ? undoable.has(name) : root.collection !== filesCollection || root.kind.startsWith('delete')
  if (isPart) return
  throw invalidPayload(name, `Expected fields that a transaction can undo but received "${name}"`)
}
