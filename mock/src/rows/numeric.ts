/** Decimal numbers of any length, computed and written as PostgreSQL does. */

/** `digits` × 10^-`scale`. */
export type Numeric = { readonly digits: bigint; readonly scale: number }

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i

/** Null for a text that is no finite number. */
export function toNumeric(text: string): Numeric | null {
  const match = pattern.exec(text.trim())
  if (match === null) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(`${whole}${fraction}` || '0') * (sign === '-' ? -1n : 1n)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

export function fromNumeric({ digits, scale }: Numeric): string {
  const text = abs(digits)
    .toString()
    .padStart(scale + 1, '0')
  const shown = scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
  return digits < 0n ? `-${shown}` : shown
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value)

/** The same number with another scale, rounded half away from zero. */
export function withScale({ digits, scale }: Numeric, wanted: number): Numeric {
  if (wanted >= scale) return { digits: digits * 10n ** BigInt(wanted - scale), scale: wanted }
  return { digits: divided(digits, 10n ** BigInt(scale - wanted)), scale: wanted }
}

function divided(value: bigint, by: bigint): bigint {
  const sign = value < 0n !== by < 0n ? -1n : 1n
  return sign * ((abs(value) * 2n + abs(by)) / (abs(by) * 2n))
}

export function add(left: Numeric, right: Numeric): Numeric {
  const scale = Math.max(left.scale, right.scale)
  return { digits: withScale(left, scale).digits + withScale(right, scale).digits, scale }
}

export function compare(left: Numeric, right: Numeric): number {
  const scale = Math.max(left.scale, right.scale)
  const difference = withScale(left, scale).digits - withScale(right, scale).digits
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** The quotient with as many digits as PostgreSQL keeps: sixteen significant ones, in groups of four. */
export function divide(left: Numeric, right: Numeric): Numeric {
  const [first, second] = [leading(left), leading(right)]
  const weight = first.weight - second.weight - (first.digit <= second.digit ? 1 : 0)
  const scale = Math.max(16 - weight * 4, left.scale, right.scale, 0)
  const digits = divided(left.digits * 10n ** BigInt(scale + right.scale), right.digits * 10n ** BigInt(left.scale))
  return { digits, scale }
}

/** The first digit in base 10000, and its place. */
function leading({ digits, scale }: Numeric): { readonly digit: number; readonly weight: number } {
  if (digits === 0n) return { digit: 0, weight: 0 }
  const whole = abs(digits).toString()
  const places = whole.length - scale
  const weight = Math.ceil(places / 4) - 1
  const length = places - weight * 4
  return { digit: Number(whole.slice(0, length).padEnd(length, '0')), weight }
}

/** The text of a number of eight bytes. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 15) return plain(value)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

const plain = (value: number): string => {
  const numeric = toNumeric(String(value))
  return numeric === null ? String(value) : fromNumeric(numeric)
}
