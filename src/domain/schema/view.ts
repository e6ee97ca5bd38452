/**
 * `View`: how one generation presents a schema: its names of collections and fields, and the wire form of each value.
 * The generation's `schema-view.ts` makes it once per schema version. Parsers use it to turn wire names into core names,
 * authorize to expand `*`, and compile to find the codec of each value. Only system collections have different names.
 */
import type { Filter } from '../query/filter.ts'

export type View = {
  /** Identifies the view in cache keys. */
  readonly name: string
  /** By wire name. Collections without a name in the generation are absent. */
  readonly collections: ReadonlyMap<string, CollectionView>
  /** The same collections by core name. */
  readonly byCore: ReadonlyMap<string, CollectionView>
  /** Wire form of computed numbers (functions, counts, sums, averages); JSON numbers unless `text`. */
  readonly computed?: 'number' | 'text'
  /** Core names of collections by other names that requests may use. */
  readonly otherNames?: ReadonlyMap<string, string>
  /** The prefix of the names of system collections; absent if they are shown as they are stored. */
  readonly systemPrefix?: string
  /** Least and greatest values of number fields are computed numbers too, and not in the form of their field. */
  readonly computedExtremes?: true
}

/** A collection by its name on the wire, or by another one that is taken for it. */
export const findCollection = ({ collections, byCore, otherNames }: View, name: string): CollectionView | undefined =>
  collections.get(name) ?? byCore.get(otherNames?.get(name) ?? '')

export type CollectionView = {
  /** Wire name. */
  readonly name: string
  /** Core name. */
  readonly collection: string
  /** The caller has no right in it: of its fields only the key is here. */
  readonly hidden?: true
  /** The rows that lists show, if not all; others are read by their keys. */
  readonly listed?: Filter
  /** By wire name, in the order of `*`. */
  readonly fields: ReadonlyMap<string, FieldView>
  /** The same fields by core name. */
  readonly byCore: ReadonlyMap<string, FieldView>
}

export type FieldView = {
  /** Wire name. */
  readonly name: string
  /** Core name. */
  readonly field: string
  readonly codec: Codec
  /** A wildcard does not show it. */
  readonly unlisted?: true
}

/**
 * The conversion of a stored value to its wire form, done in SQL. Each dialect has an expression per codec. A `literal`
 * is used as JSON without quotes; other codecs return text.
 */
export type Codec =
  /** Number, boolean or null, unchanged. */
  | { readonly kind: 'literal' }
  /** Text, unchanged. */
  | { readonly kind: 'text' }
  /** A number as a string, because it is too large or too precise for a JSON number. */
  | { readonly kind: 'number-text' }
  /** Any number, as a JSON number. */
  | { readonly kind: 'number' }
  /** An instant as `2026-01-31T10:00:00.000Z`. */
  | { readonly kind: 'iso-instant' }
  /** A date and time without time zone, as `2026-01-31T10:00:00`. */
  | { readonly kind: 'iso-datetime' }
  /** A date and time as `2026-01-31 10:00:00`; instants in UTC. */
  | { readonly kind: 'plain-datetime' }
  /** An instant as `2026-01-31T10:00:00+00:00`. */
  | { readonly kind: 'offset-datetime' }
  | { readonly kind: 'date' }
  | { readonly kind: 'time' }
  /** JSON, unchanged. `nullAs` is the result for SQL NULL. */
  | { readonly kind: 'json'; readonly nullAs?: 'empty' }
  /** Comma-separated text as an array of strings. `nullAs` is the result for SQL NULL. */
  | { readonly kind: 'csv'; readonly nullAs: 'null' | 'empty' }
  /** A boolean, also from 0/1 columns. `nullAs` is the result for SQL NULL. */
  | { readonly kind: 'boolean'; readonly nullAs: 'null' | 'false' }
  /** `**********` for a value, null for null. */
  | { readonly kind: 'mask' }
  | { readonly kind: 'base64' }
  | { readonly kind: 'geojson' }
  /** A stored uuid of an identity collection, shown as the integer `number` of its row. */
  | { readonly kind: 'number-of'; readonly collection: string }
  /** The key of a file, shown as an object with the facts that the URLs of the file consist of. */
  | { readonly kind: 'file-facts' }
  /** A table of replacements for stored words; other words are unchanged. `spellings`: what else clients may write. */
  | {
      readonly kind: 'words'
      readonly words: { readonly [stored: string]: string }
      readonly spellings?: { readonly [written: string]: string }
    }
  | Renamed

/** A text that is a name, or JSON that contains names, shown with another prefix; other texts are unchanged. */
export type Renamed = {
  readonly kind: 'renamed'
  readonly within: 'text' | 'json'
  /** The prefixes of the stored and of the shown names. */
  readonly stored: string
  readonly shown: string
  /** The names that have the prefix, without it. */
  readonly names: readonly string[]
}

/** The key of the file id in objects of the codec `file-facts`. A text search for it tells whether a response contains such objects. */
export const fileFactsMark = 'tandem_file_facts'
