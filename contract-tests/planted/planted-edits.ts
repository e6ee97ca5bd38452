/** Edits of a document or a configuration as rows of a table. */
import type { Severity } from '../../verify/src/diff/change.ts'

export type Json = { [key: string]: unknown }
export type Edit = (root: Json) => void

/** A change, who should be told, and, where the judgement is known to be another one, why. */
export type Planted<Edited> = {
  readonly name: string
  readonly edit: Edited
  readonly verdict: Severity
  readonly clients: readonly string[]
  readonly excuse?: string
}

/** What the steps lead to; they are separated by two spaces. */
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
export const row = <Edited>(
  name: string,
  verdict: Severity,
  clients: readonly string[],
  edit: Edited,
): Planted<Edited> => ({ name, edit, verdict, clients })

export const of = (client: string, operation: string, access: string, ...paths: readonly string[]) =>
  paths.map((path) => ({ client, operation, access, path }))
