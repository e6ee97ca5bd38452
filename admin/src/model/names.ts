/** Names of resources in addresses: `content/<collection>`, `system/<collection>`. */

/** Whatever could end a path segment, or be decoded in it, is written as `~` and its code points. */
export const toSegment = (name: string): string =>
  Array.from(name, (each) => (/[\w-]/.test(each) ? each : `~${each.codePointAt(0)?.toString(16)}~`)).join('')

/** Undoes `toSegment`. */
export const fromSegment = (segment: string): string =>
  segment.replaceAll(/~([0-9a-f]+)~/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))

/** Collections of the platform have a prefix, which a setting of the server chooses. */
const systemPrefix = /^(?:platform|directus)_/

export const isSystemName = (collection: string): boolean => systemPrefix.test(collection)

/** `platform_users` → `users`: the path of its records. */
export const toSystemPath = (collection: string): string => collection.replace(systemPrefix, '')

/** The resource of a collection. */
export const toResource = (collection: string): string =>
  isSystemName(collection) ? `system/${toSystemPath(collection)}` : `content/${toSegment(collection)}`

/** `created_by` → `Created by`. */
export const toTitle = (name: string): string => {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words === '' ? name : words[0]?.toUpperCase() + words.slice(1)
}

/** A name as paths and parameters of requests have it: what would separate names there is behind a backslash. */
export const toName = (name: string): string => name.replaceAll(/[\\.,:]|^-/g, String.raw`\$&`)

/** The names of a path, without backslashes. */
export const namesOf = (path: string): readonly string[] =>
  (path.match(/(?:[^.\\]|\\.)+/gs) ?? []).map((name) => name.replaceAll(/\\(.)/gs, '$1'))
