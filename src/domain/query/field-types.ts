/** The closed list of field types, neutral between database vendors and API generations. */
export const fieldTypes = [
  'string',
  'text',
  'boolean',
  'integer',
  'bigInteger',
  'float',
  'decimal',
  'dateTime',
  'timestamp',
  'date',
  'time',
  'json',
  'csv',
  'uuid',
  'hash',
  'binary',
  'geometry',
  /** A field without column: a to-many relation or a presentational field. */
  'alias',
  /** A SQL type without mapping: readable as text, not writable. */
  'unknown',
] as const

export type FieldType = (typeof fieldTypes)[number]
