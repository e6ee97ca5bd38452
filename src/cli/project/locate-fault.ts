/** The file and the line that a refusal of the server is about: it names things of a project, and no files. */

/** A file as it was read. `name`: of the thing that it describes; null for files of many things. */
export type ProjectFile = {
  readonly path: string
  readonly kind: string
  readonly name: string | null
  readonly text: string
}

/** Such as `roles/cook.yaml:2`; null if the fault belongs to no file. */
export function locateFault(reason: string, files: readonly ProjectFile[]): string | null {
  const [file] = files
    .filter((each) => isMeant(each, reason))
    // "a.b" is a field of "a", unless a collection has this name.
    .toSorted((left, right) => (right.name ?? '').length - (left.name ?? '').length)
  if (file === undefined || !reason.includes('Expected')) return null
  const received = /received "([^"]+)"/.exec(reason)?.[1]
  const at = received === undefined ? -1 : file.text.split('\n').findIndex((line) => line.includes(received))
  return `${file.path}:${at + 1 || 1}`
}

function isMeant({ kind, name }: ProjectFile, reason: string): boolean {
  if (name === null) return new RegExp(`\\b${kind.replace(/s$/, '')}s?\\b`).test(reason)
  if (kind === 'collection') return reason.includes(`"${name}"`) || reason.includes(`"${name}.`)
  return reason.includes(`${kind} ${name} `) || reason.includes(`${kind} "${name}"`)
}
