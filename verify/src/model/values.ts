/** Comparison of values by the kind of their field. */
import { asText } from '../http/text.ts'
import type { FieldKind } from '../world/fields.ts'
import type { Value } from '../world/rows.ts'

/** A value in the form in which it compares; numbers as text become numbers, moments one notation. */
export function comparable(kind: FieldKind, value: Exclude<Value, null>): number | bigint | string | boolean {
  if (kind === 'bigInteger') return BigInt(asText(value))
  if (kind === 'integer' || kind === 'float' || kind === 'decimal') return Number(value)
  if (kind === 'timestamp') return Date.parse(asText(value))
  if (kind === 'boolean') return value === true
  return asText(value)
}

/** Negative, zero or positive, as sorting expects it; both values of one kind and not null. */
export function compare(kind: FieldKind, a: Exclude<Value, null>, b: Exclude<Value, null>): number {
  const [left, right] = [comparable(kind, a), comparable(kind, b)]
  return left < right ? -1 : left > right ? 1 : 0
}
