/** A small schema for the type tests: every kind of field and relation once. */
import type { AnyOf, Csv, DateTime, Json, Uuid } from './schema.ts'

export type Schema = {
  articles: Article[]
  authors: Author[]
  comments: Comment[]
  sections: Section[]
  headings: Heading[]
  paragraphs: Paragraph[]
  about: { id: number; headline: string }
}

export type Article = {
  id: number
  title: string
  views: number | null
  featured: boolean
  published: DateTime | null
  token: Uuid
  labels: Csv
  settings: Json<{ readonly color: string }> | null
  author: number | Author | null
  comments: number[] | Comment[]
  sections: number[] | Section[]
}

type Author = { id: number; name: string; born: DateTime; articles: number[] | Article[] }
type Comment = { id: number; text: string; article: number | Article }
type Section = { id: number; collection: 'headings' | 'paragraphs'; item: AnyOf<'headings' | 'paragraphs'> }
type Heading = { id: number; title: string }
type Paragraph = { id: number; body: string }
