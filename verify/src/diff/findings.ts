/** What is found at one operation of two OpenAPI documents. */
import type { JsonSchema, Node } from '../spec/document.ts'
import type { ChangeLocation, Direction, Severity } from './change.ts'
import { compareSchemas, type SchemaChange } from './schemas.ts'

export type Operation = {
  readonly title: string
  readonly id: string
  readonly node: Node
  readonly parameters: ReadonlyMap<string, Node>
}
export type Both = { readonly before: Node; readonly after: Node }

/** `path`: of the property of an answer or a body. */
export type Finding = {
  readonly text: string
  readonly severity: Severity
  readonly type?: string
  readonly path?: string
  readonly access?: ChangeLocation['access']
}

export const findingIf = (isFound: boolean, text: string, severity: Severity): readonly Finding[] =>
  isFound ? [{ text, severity }] : []

/** What was announced to end on a day that has passed breaks nobody who listened. */
export function removalOf({ deprecated, 'x-sunset': sunset }: Node): Severity {
  const isOver = typeof sunset === 'string' && Date.parse(sunset) < Date.now()
  return deprecated === true && isOver ? 'perhaps' : 'breaking'
}

type Content = Both & { readonly part: string; readonly direction: Direction; readonly type: string }

/** Compares the media types that both have; one that is gone breaks. */
export function compareContent(roots: Both, { before, after, part, direction, type }: Content): readonly Finding[] {
  const [old, now] = [before, after].map((node) => (node['content'] ?? {}) as { readonly [media: string]: Node })
  return Object.entries(old ?? {}).flatMap(([media, { schema }]): readonly Finding[] => {
    const other = now?.[media]
    if (other === undefined) return [{ text: `${part} is no longer ${media}`, severity: 'breaking' }]
    const pair = {
      before: (schema ?? null) as JsonSchema | null,
      after: (other['schema'] ?? null) as JsonSchema | null,
    }
    const access = direction === 'request' ? 'write' : 'read'
    return findingsOf(part, compareSchemas({ ...roots, direction }, pair, type)).map((each) => ({ ...each, access }))
  })
}

export const findingsOf = (part: string, changes: readonly SchemaChange[]): readonly Finding[] =>
  changes.map(({ path, what, severity, type, isWhole }) => ({
    text: `${part}${path === '' ? '' : ` ${path.replace(/^\./, '')}`} ${what}`,
    severity,
    path: isWhole === true ? '' : path,
    ...(type === null ? {} : { type }),
  }))
