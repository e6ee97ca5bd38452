/** Resources of the legacy generation that are lists of records. */
import type { Client } from './client.ts'
import { legacyItemsAt } from './legacy-items.ts'
import { methodsOf } from './resource.ts'

/** The list at a path, and further methods. */
export const withLegacyItems = (client: Client, path: string, table: Parameters<typeof methodsOf>[1] = {}): never =>
  ({ ...legacyItemsAt(client, path), ...(methodsOf(client, table) as object) }) as never
