/** The header that names fields of the body that do not exist. */

const mostNames = 50

/** Names are percent-encoded; none for an empty set. */
export function ignoredFields(ignored: ReadonlySet<string>): { readonly [name: string]: string } {
  if (ignored.size === 0) return {}
  const names = [...ignored].slice(0, mostNames).map((name) => encodeURIComponent(name.toWellFormed()).slice(0, 100))
  return { 'ignored-fields': names.join(', ') }
}
