/** Edits of a configuration as rows of a table. */
import type { Planted } from './planted-specs.ts'

type Json = { [key: string]: unknown }
export type Edit = (configuration: Json) => void

/** What the steps lead to; they are separated by spaces. */
export const at = (root: Json, path: string): Json =>
  path.split('  ').reduce<Json>((found, step) => (found[step] ??= {}) as Json, root)

export const set =
  (path: string, values: object): Edit =>
  (root) =>
    void Object.assign(at(root, path), values)
export const drop =
  (path: string, key: string): Edit =>
  (root) =>
    void delete at(root, path)[key]

export type Row = Planted<Edit>
export const row = (name: string, verdict: Row['verdict'], clients: readonly string[], edit: Edit): Row => ({
  name,
  edit,
  verdict,
  clients,
})

export const of = (client: string, operation: string, access: string, ...paths: readonly string[]) =>
  paths.map((path) => ({ client, operation, access, path }))
