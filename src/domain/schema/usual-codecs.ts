/** The usual wire form of each type: ISO dates, numbers that lose no digit, GeoJSON. */
import type { FieldType } from '../query/field-types.ts'
import type { Codec } from './view.ts'

/** Applies to fields that a view does not contain. A view can start from it. */
export const usualCodecs = {
  string: { kind: 'text' },
  text: { kind: 'text' },
  boolean: { kind: 'boolean', nullAs: 'null' },
  integer: { kind: 'literal' },
  bigInteger: { kind: 'number-text' },
  float: { kind: 'literal' },
  decimal: { kind: 'number-text' },
  dateTime: { kind: 'iso-datetime' },
  timestamp: { kind: 'iso-instant' },
  date: { kind: 'date' },
  time: { kind: 'time' },
  json: { kind: 'json' },
  csv: { kind: 'csv', nullAs: 'null' },
  uuid: { kind: 'text' },
  hash: { kind: 'text' },
  binary: { kind: 'base64' },
  geometry: { kind: 'geojson' },
  alias: { kind: 'text' },
  unknown: { kind: 'text' },
} as const satisfies Record<FieldType, Codec>
