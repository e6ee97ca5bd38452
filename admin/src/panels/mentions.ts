/** Users who are mentioned in comments: people write and read names, the server has `@<id of the user>`. */

const stored = /@([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi

export type Names = ReadonlyMap<string, string>

export const mentionedIn = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(stored)].map(([, id = '']) => id.toLowerCase()))),
]

/** A comment with the names of the users. Of a user that the reader does not see, the mark is left. */
export const toShown = (text: string, names: Names): string =>
  text.replaceAll(stored, (_, id: string) => `@${names.get(id.toLowerCase()) ?? '…'}`)

/** A comment as the server takes it; of names that begin alike, the longest counts. */
export function toStored(text: string, names: Names): string {
  const longest = [...names].toSorted(([, a], [, b]) => b.length - a.length)
  return longest.reduce((all, [id, name]) => all.replaceAll(`@${name}`, `@${id}`), text)
}

const begun = /(?<=^|\s)@([\p{L}\p{N}._-]*)$/u

/** What is written of a name so far at the end of a text; null if none is begun. */
export const nameBegun = (text: string): string | null => begun.exec(text)?.[1] ?? null

/** The text with the name in place of what was begun. */
export const withName = (text: string, name: string): string => text.replace(begun, () => `@${name} `)
