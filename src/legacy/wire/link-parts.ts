/** Requested parts of the addresses of a file: `data.full_url`, `data.thumbnails.url`. */
import type { Selected } from '../../domain/query/query.ts'
import { TandemError } from '../../domain/rights/errors.ts'

/** Parts by their keys in the answer. Without parts of its own a part is whole. */
export type LinkParts = readonly {
  readonly key: string
  readonly name: string
  /** The type that GraphQL has for the object. */
  readonly parent?: string
  readonly fields: LinkParts
}[]

/** Key under which a row holds the requested parts of its addresses. */
const mark = 'tandem_link_parts'

const existing: { readonly [name: string]: readonly string[] } = {
  url: [],
  full_url: [],
  asset_url: [],
  thumbnails: ['key', 'url', 'relative_url', 'dimension', 'width', 'height'],
  embed: ['html', 'url'],
}

/** Adds the requested parts to the row; nothing if all are requested. Throws `field-not-found` for unknown parts. */
export function selectParts(paths: readonly (readonly string[])[]): readonly Selected[] {
  for (const [name = '', ...below] of paths) assertPart(name, below)
  const isWhole = paths.some(([name]) => name === undefined || name === '*')
  return isWhole ? [] : [{ kind: 'constant', key: mark, text: JSON.stringify(toParts(paths)) }]
}

function assertPart(name: string, [inner, ...deeper]: readonly string[]): void {
  const parts = name === '*' || name === '' ? Object.values(existing).flat() : existing[name]
  const isKnown = parts !== undefined && (inner === undefined || inner === '*' || parts.includes(inner))
  if (isKnown && deeper.length === 0) return
  const field = ['data', name, inner, ...deeper].filter((each) => each !== undefined).join('.')
  throw new TandemError({ kind: 'field-not-found', collection: 'platform_files', field })
}

function toParts(paths: readonly (readonly string[])[]): LinkParts {
  const byName = Map.groupBy(paths, ([name = '']) => name)
  return [...byName].map(([name, own]) => {
    const below = own.map((path) => path.slice(1))
    const isWhole = below.some(([first]) => first === undefined || first === '*')
    return { key: name, name, fields: isWhole ? [] : toParts(below) }
  })
}

/** Whether the selection carries parts. */
export const carriesParts = (selected: Selected): boolean => selected.kind === 'constant' && selected.key === mark

/** Takes the parts off a row; null = all of the addresses. */
export function takeParts(row: object): { readonly row: object; readonly parts: LinkParts | null } {
  const { [mark]: carried, ...rest } = row as { readonly [name: string]: unknown }
  return typeof carried === 'string' ? { row: rest, parts: JSON.parse(carried) as LinkParts } : { row, parts: null }
}

/** Only these parts of the addresses. */
export function pickParts(links: unknown, parts: LinkParts): unknown {
  if (parts.length === 0 || typeof links !== 'object' || links === null) return links
  if (Array.isArray(links)) return links.map((each: unknown) => pickParts(each, parts))
  const values = links as { readonly [name: string]: unknown }
  return Object.fromEntries(
    parts.map(({ key, name, parent, fields }) => [
      key,
      name === '__typename' ? parent : pickParts(values[name] ?? null, fields),
    ]),
  )
}
