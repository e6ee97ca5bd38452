/**
 * `View`: how one generation sees a schema: its names for collections and fields, and the form each
 * value takes on its wire. Made once per schema version by the generation's `schema-view.ts`.
 * Parsers go from wire names to core names with it, authorize expands `*` with it, and compile asks
 * it for each value's codec. User collections keep their names; only system ones differ.
 */
export type View = {
  /** Distinguishes the views in cache keys. */
  readonly name: string
  /** By wire name. Collections that the generation cannot name are absent. */
  readonly collections: ReadonlyMap<string, CollectionView>
  /** The same, by core name. */
  readonly byCore: ReadonlyMap<string, CollectionView>
  /** Form of computed numbers (functions, counts, sums, averages): JSON numbers unless `text`. */
  readonly computed?: 'number' | 'text'
}

export type CollectionView = {
  /** Wire name. */
  readonly name: string
  /** Core name. */
  readonly collection: string
  /** By wire name, in the order in which `*` shows them. */
  readonly fields: ReadonlyMap<string, FieldView>
  /** The same, by core name. */
  readonly byCore: ReadonlyMap<string, FieldView>
}

export type FieldView = {
  /** Wire name. */
  readonly name: string
  /** Core name. */
  readonly field: string
  readonly codec: Codec
}

/**
 * How a stored value becomes its wire form, inside SQL. The dialect knows each row's expression;
 * `literal` codecs yield JSON as it stands, the rest text to be quoted.
 */
export type Codec =
  /** Number, boolean or null as the column holds it. */
  | { readonly kind: 'literal' }
  /** Text as the column holds it. */
  | { readonly kind: 'text' }
  /** A number too large or too exact for a JSON number, as a string. */
  | { readonly kind: 'number-text' }
  /** Any number as a JSON number. */
  | { readonly kind: 'number' }
  /** `2026-01-31T10:00:00.000Z`, an instant. */
  | { readonly kind: 'iso-instant' }
  /** `2026-01-31T10:00:00`, without zone. */
  | { readonly kind: 'iso-datetime' }
  /** `2026-01-31 10:00:00`; an instant in UTC. */
  | { readonly kind: 'plain-datetime' }
  /** `2026-01-31T10:00:00+00:00`. */
  | { readonly kind: 'offset-datetime' }
  | { readonly kind: 'date' }
  | { readonly kind: 'time' }
  | { readonly kind: 'json' }
  /** Comma-joined text as an array of strings. `nullAs` is what SQL NULL becomes. */
  | { readonly kind: 'csv'; readonly nullAs: 'null' | 'empty' }
  /** Boolean, also from 0/1 columns. `nullAs` is what SQL NULL becomes. */
  | { readonly kind: 'boolean'; readonly nullAs: 'null' | 'false' }
  /** `**********` where a value is set, null where none is. */
  | { readonly kind: 'mask' }
  | { readonly kind: 'base64' }
  | { readonly kind: 'geojson' }
  /** A stored uuid of an identity collection, shown as the row's integer `number`. */
  | { readonly kind: 'number-of'; readonly collection: string }
  /** The key of a file's own row, shown as an object with what the addresses of the file are made of. */
  | { readonly kind: 'file-facts' }
  /** A closed renaming of stored words; a word that is not listed passes as it is. */
  | { readonly kind: 'words'; readonly words: { readonly [stored: string]: string } }

/** The key under which objects of the codec `file-facts` hold the file's id: one look at the text says whether there are any. */
export const fileFactsMark = 'tandem_file_facts'
