/** The parts of fields that most tests leave at their defaults. */
import type { Column } from '../schema/schema.ts'

/** A nullable column without any particulars. */
export const plainColumn: Column = {
  name: '',
  dataType: '',
  nullable: true,
  hasDefault: false,
  defaultValue: null,
  defaultExpression: null,
  maxLength: null,
  precision: null,
  scale: null,
  unique: false,
  indexed: false,
  primaryKey: false,
  autoIncrement: false,
  generated: false,
  comment: null,
}
