/** The rows of the verifier. Expected answers are computed from them. */
import type { ArticleField } from './fields.ts'

export type Value = string | number | boolean | null | { readonly [key: string]: unknown } | readonly unknown[]

export type ArticleRow = { readonly [Field in ArticleField]: Value } & {
  readonly id: number
  readonly title: string
  readonly author: number | null
  readonly tags: readonly number[]
}

export type AuthorRow = { readonly id: number; readonly name: string; readonly secret: string }
export type TagRow = { readonly id: number; readonly name: string }

export type Rows = {
  readonly articles: readonly ArticleRow[]
  readonly authors: readonly AuthorRow[]
  readonly tags: readonly TagRow[]
}

const words = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'heron',
  'inlet',
  'jolly',
  'knoll',
  'lumen',
]

/** Texts with what databases and patterns treat specially. */
const labels = [
  'Alpha',
  'alpha',
  'ALPINE',
  'be_ta',
  'be%ta',
  "o'clock",
  'Zürich',
  'back\\slash',
  '',
  null,
  'two  spaces',
  '50% off',
]

export const authorCount = 4
export const tagCount = 5
const articleCount = 24

/** Values of all articles without keys: `author` and `tags` are positions. */
export function articleDrafts() {
  return Array.from({ length: articleCount }, (_, at) => ({
    title: `${words[at % words.length] ?? ''}${at < words.length ? '' : 'wood'}`,
    label: labels[at % labels.length] ?? null,
    views: at % 6 === 5 ? null : (at * 7) % 10,
    rating: at % 8 === 7 ? null : (at % 5) * 0.5 - 1,
    price: at % 9 === 8 ? null : `${(at * 3) % 11}.${at % 2 === 0 ? '50' : '25'}`,
    big: at % 7 === 6 ? null : `900719925474099${at % 10}`,
    live: at % 5 === 4 ? null : at % 3 !== 0,
    day: at % 10 === 9 ? null : `202${4 + (at % 3)}-0${1 + (at % 9)}-1${at % 10}`,
    at: at % 11 === 10 ? null : `2025-0${1 + (at % 9)}-15T0${at % 10}:30:00`,
    stamp: at % 12 === 11 ? null : `2025-0${1 + (at % 9)}-20T1${at % 10}:00:00.000Z`,
    clock: at % 7 === 3 ? null : `0${at % 10}:15:00`,
    data: at % 4 === 3 ? null : at % 4 === 0 ? { size: at, list: [1, 'two', null] } : [at, { deep: true }],
    uid: at % 6 === 2 ? null : `00000000-0000-4000-8000-0000000000${String(10 + at)}`,
    secret: `hidden-${words[(at * 5) % words.length] ?? ''}-${at}`,
    author: at % 6 === 1 ? null : at % authorCount,
    tags: Array.from({ length: tagCount }, (_, tag) => tag).filter(
      (tag) => (at >> (tag % 4)) % 2 === 1 && at % 5 !== tag,
    ),
  }))
}

export const authorDrafts = () => ['Ann', 'Bob', 'Cleo', 'Dee'].map((name, at) => ({ name, secret: `pseudonym-${at}` }))

export const tagDrafts = () => ['red', 'green', 'blue', 'gold', 'grey'].map((name) => ({ name }))
