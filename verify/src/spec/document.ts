/** Reads OpenAPI documents, and finds places in them. */

import { LineCounter, parse, parseDocument } from 'yaml'

export type JsonSchema = { readonly [keyword: string]: unknown }
export type Node = { readonly [key: string]: unknown }

export function parseText(text: string): Node {
  const value: unknown = /^\s*\{/.test(text) ? JSON.parse(text) : parse(text)
  if (typeof value !== 'object' || value === null) throw new Error('Expected an OpenAPI document')
  return value as Node
}

/** Resolves a `#/…` reference, and keeps what is written beside it; returns other values unchanged. */
export function follow(root: object, value: unknown): Node {
  const { $ref: ref, ...beside } = (value ?? {}) as Node
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return (value ?? {}) as Node
  const steps = ref.slice(2).split('/').map(unescapeStep)
  const target = follow(
    root,
    steps.reduce<unknown>((node, step) => (node as Node | undefined)?.[step], root),
  )
  return Object.keys(beside).length === 0 ? target : { ...target, ...beside }
}

const unescapeStep = (step: string): string => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
export const escapeStep = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')

/** Line of a JSON pointer in the text of a document; null if the text is one line. */
export function lineOf(text: string, pointer: string): number | null {
  if (!text.trim().includes('\n')) return null
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const path = pointer.split('/').slice(1).map(unescapeStep)
  for (let length = path.length; length > 0; length -= 1) {
    const steps = path.slice(0, length).map((step) => (/^\d{3}$/.test(step) ? [step, Number(step)] : [step]))
    for (const last of steps.at(-1) ?? []) {
      const node: unknown = document.getIn([...path.slice(0, length - 1), last], true)
      const range = (node as { readonly range?: readonly number[] } | undefined)?.range
      if (range?.[0] !== undefined) return lines.linePos(range[0]).line
    }
  }
  return null
}
