/** Adds field names to database errors, and values that the caller may read. */
import { findReadGrant } from '../../authz/grants.ts'
import type { Context, ReadContext, WriteContext } from '../../domain/ports/context.ts'
import type { Row, Write } from '../../domain/ports/row-store.ts'
import type { WriteLog } from '../../domain/ports/write-log.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import { isBrokenCheck, keyOfRefusal, type Refusal, refusalOf } from '../../sql/errors/refusals.ts'
import { withoutHiddenNames } from './hide-names.ts'

/** Runs a write, counts it, and enters it in the log. Errors of the database name fields of the schema. */
export async function runNamed(ctx: Context, write: Write, log: WriteLog): Promise<readonly string[]> {
  try {
    const keys = await ctx.rows.write(ctx, write, log.deferred)
    const columns = write.kind === 'delete' ? [] : write.columns
    ctx.allowance?.spend(keys.length * Math.max(1, columns.length))
    log.written.push({ kind: write.kind, collection: write.collection.name, columns, keys })
    return keys
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null || !(error instanceof TandemError)) throw error
    const [first, ...rest] = error.failures
    const checked = await checkedFields(ctx, write, refusal)
    const named = (failure: Failure) => withNames(ctx, write, { failure, refusal, checked })
    throw withoutHiddenNames(ctx, new TandemError([named(first), ...rest.map(named)], { cause: error.cause }))
  }
}

/** `checked`: the fields of the condition that is broken. */
type Refused = { readonly failure: Failure; readonly refusal: Refusal; readonly checked: readonly Field[] }

/**
 * The fields of a broken condition. That of a domain names none: it is in a written field, and outside of a transaction,
 * which the error has ended, the database is asked in which.
 */
async function checkedFields(ctx: WriteContext, write: Write, refusal: Refusal): Promise<readonly Field[]> {
  const { constraint, table } = refusal
  if (constraint === null || !isBrokenCheck(refusal)) return []
  const { collection } = write
  const fields = [...collection.fields.values()].filter(({ column }) => column?.checks?.includes(constraint) === true)
  if (table !== null || write.kind === 'delete') return fields
  const rows = 'row' in write ? [write.row] : write.rows
  const input = fields.filter(({ column }) => rows.some((row) => isGiven(row, column?.name)))
  if (input.length <= 1 || ctx.db.isInner === true) return input
  const broken: Field[] = []
  for (const field of input) {
    const name = field.column?.name as string
    const values = rows.map((row) => ({ [name]: row[name] }))
    for (const value of values)
      if (!broken.includes(field) && !(await ctx.rows.takes(ctx, collection, value))) broken.push(field)
  }
  return broken.length > 0 ? broken : input
}

function withNames(ctx: ReadContext, write: Write, { failure, refusal, checked }: Refused): Failure {
  if (refusal.raised) return failure
  const { collection } = write
  switch (failure.kind) {
    case 'not-unique':
    case 'invalid-foreign-key': {
      const value = failure.collection === collection.name ? visibleValue(ctx, write, refusal) : null
      return value === null ? failure : { ...failure, value }
    }
    case 'invalid-payload': {
      if (isBrokenCheck(refusal)) return withChecked(ctx, write, { failure, refusal, checked })
      const name = failure.name ?? refusedField(write, refusal)
      return name === null ? failure : { ...failure, name }
    }
    case 'value-too-long':
    case 'value-out-of-range': {
      const field = failure.field ?? refusedField(write, refusal)
      return field === null ? failure : { ...failure, collection: collection.name, field }
    }
    default:
      return failure
  }
}

/** The conflicting key value, if the caller may read all of its fields in every row. */
function visibleValue(ctx: ReadContext, write: Write, refusal: Refusal): string | null {
  const { collection } = write
  const key = keyOfRefusal(refusal)
  if (key === null || collection.system || !key.columns.every(isShown(ctx, collection))) return null
  return key.value === '' ? writtenValue(write, key.columns) : key.value
}

/** The value of the columns in all written rows, for databases that do not report it. Null if the rows differ. */
function writtenValue(write: Write, columns: readonly string[]): string | null {
  if (write.kind === 'delete') return null
  const rows = 'row' in write ? [write.row] : write.rows
  const [value, ...others] = new Set(rows.map((row) => columns.map((name) => asText(row[name] ?? '')).join(', ')))
  return value === undefined || others.length > 0 ? null : value
}

/** Whether the caller may read the field in every row. */
function isShown(
  { actor, schema }: Pick<Context, 'actor' | 'schema'>,
  { name: collection }: Collection,
): (name: string) => boolean {
  const readable = findReadGrant(actor, schema, collection)?.fields
  return (name) => {
    const cached = readable?.get(name)
    return cached !== undefined && cached.guard === null && !cached.field.concealed && cached.field.type !== 'hash'
  }
}

/** Names the fields of a check constraint (of columns, or of a domain), and their values as far as the caller sent them. */
function withChecked(ctx: ReadContext, write: Write, { failure, refusal, checked: fields }: InvalidPayload): Failure {
  const { constraint } = refusal
  const { collection } = write
  const [first, ...others] = fields
  const named = first === undefined || others.length > 0 ? failure : { ...failure, name: first.name }
  const shownFields = collection.system ? [] : fields.filter(({ name }) => isShown(ctx, collection)(name))
  const [sent, ...more] = shownFields.flatMap((field) => sentValue(write, field))
  if (constraint === null || sent === undefined) return named
  const words =
    more.length === 0 && others.length === 0
      ? `The value "${sent.value}" breaks`
      : `The values ${[sent, ...more].map(({ name, value }) => `${name} "${value}"`).join(', ')} break`
  return { ...named, reason: `${words} the condition "${constraint}" of the database` }
}

type InvalidPayload = Omit<Refused, 'failure'> & {
  readonly failure: Extract<Failure, { readonly kind: 'invalid-payload' }>
}

/** The value in a write of one row, in at most 100 characters; of several rows it is not known which one was refused. */
function sentValue(
  write: Write,
  { name, column }: Field,
): readonly { readonly name: string; readonly value: string }[] {
  const [row, ...others] = write.kind === 'delete' ? [] : 'row' in write ? [write.row] : write.rows
  if (row === undefined || others.length > 0 || !isGiven(row, column?.name)) return []
  const value = row[column?.name as string]
  const text = asText(value)
  return [{ name, value: text.length > 100 ? `${text.slice(0, 99)}…` : text }]
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The field whose value the database could not parse: the error message repeats the value. */
function refusedField(write: Write, { message, sqlState }: Refusal): string | null {
  if (write.kind === 'delete' || !/^(0A|22|3F|42|XX)/.test(sqlState)) return null
  const rows = 'row' in write ? [write.row] : write.rows
  const read = write.collection.fields
    .values()
    .filter((field) => isReadByDatabase(field))
    .toArray()
  const input = read.filter(({ column }) => rows.some((row) => isGiven(row, column?.name)))
  const repeated = input.filter(({ column }) => rows.some((row) => repeats(message, row[column?.name as string])))
  const [only, ...more] = repeated.length > 0 ? repeated : input
  return only === undefined || more.length > 0 ? null : only.name
}

/** Types that only the database can parse. */
const isReadByDatabase = ({ type, column }: Field): boolean =>
  column !== null && (type === 'unknown' || column.values !== undefined)

const isGiven = (row: Row, column: string | undefined): boolean => column !== undefined && row[column] != null

function repeats(message: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.some((each) => repeats(message, each))
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  return typeof text === 'string' && text !== '' && message.includes(`"${text}"`)
}
