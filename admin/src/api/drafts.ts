/** Changes of forms that were not saved, kept in this browser for a week at most. */
import type { Identifier } from 'react-admin'
import type { Row } from '../client.ts'

export type Draft = {
  /** When it was kept, in milliseconds. */
  readonly at: number
  readonly changes: Row
  /** The values of the changed fields as they were, to see what others changed since. */
  readonly before: Row
}

const prefix = 'tandem-draft/'
const longest = 7 * 24 * 60 * 60 * 1000

/** Drafts belong to a user. `id` is null for a new item. */
export const draftName = (user: string, resource: string, id: Identifier | null): string =>
  `${prefix}${user}/${resource}/${id ?? ''}`

export function readDraft(name: string, now: number): Draft | null {
  const text = localStorage.getItem(name)
  if (text === null) return null
  const draft = JSON.parse(text) as Draft
  if (now - draft.at < longest) return draft
  localStorage.removeItem(name)
  return null
}

/** Browsers limit what pages keep: a draft that is too large is not kept. */
export function keepDraft(name: string, draft: Draft): void {
  try {
    localStorage.setItem(name, JSON.stringify(draft))
  } catch {
    localStorage.removeItem(name)
  }
}

export const forgetDraft = (name: string): void => localStorage.removeItem(name)

/** What was written of an item is no draft any more, whoever began it here. */
export const forgetDraftsOf = (resource: string, id: Identifier | null): void =>
  forgetWhere((name) => name.endsWith(`/${resource}/${id ?? ''}`))

export const hasDrafts = (): boolean => Object.keys(localStorage).some((name) => name.startsWith(prefix))

/** On a deliberate logout nothing stays in the browser. */
export const forgetAllDrafts = (): void => forgetWhere(() => true)

function forgetWhere(isMeant: (name: string) => boolean): void {
  for (const name of Object.keys(localStorage)) if (name.startsWith(prefix) && isMeant(name)) forgetDraft(name)
}
