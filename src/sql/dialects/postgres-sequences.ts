/**
 * Moves sequences past keys that clients bring, in the statement that writes the rows. A sequence never moves back. Short
 * ways are made by `nextval`, which other transactions may call meanwhile; long ways by one `setval`, by one transaction
 * at a time. Keys in the last tenth of a sequence do not move it, so that nobody can use it up with one key.
 */
import type { CountedColumn } from './dialect.ts'

const lockNumber = 7_265_004

/** Steps of short ways. A role that may not set a sequence may still use up its numbers. */
const shortWay = { ifSettable: 1000, otherwise: 100_000 }

/** The sequence of the column: that of its default, or the one that belongs to the column. */
const sequenceOf = ({ table, name }: CountedColumn): string =>
  `coalesce((select x.refobjid from pg_attribute t join pg_attrdef f on f.adrelid = t.attrelid and f.adnum = t.attnum ` +
  `join pg_depend x on x.classid = 'pg_attrdef'::regclass and x.objid = f.oid and x.refclassid = 'pg_class'::regclass ` +
  `join pg_sequence y on y.seqrelid = x.refobjid ` +
  `where t.attrelid = ${table}::regclass and t.attname = ${name} limit 1), ` +
  `pg_get_serial_sequence(${table}, ${name})::regclass::oid)`

/** Whether the value leaves at least a tenth of the numbers that both the sequence and the column hold. */
function leavesRoom({ bits }: CountedColumn, value: string): string {
  const bound = bits === null ? null : 2n ** BigInt(bits - 1)
  const most = bound === null ? 'q.seqmax::numeric' : `least(q.seqmax::numeric, ${bound - 1n})`
  const least = bound === null ? 'q.seqmin::numeric' : `greatest(q.seqmin::numeric, ${-bound})`
  return `case when q.seqincrement > 0 then ${most} - ${value} else ${value} - ${least} end >= (${most} - ${least}) / 10`
}

/** The sequence, the value that it must pass, and what the role of the connection may do with it. */
const goalText = (
  column: CountedColumn,
  { values, from }: { readonly values: string; readonly from: string },
): string =>
  `select q.seqrelid::regclass as id, q.seqincrement::numeric as step, w.goal, ` +
  `has_sequence_privilege(q.seqrelid, 'usage') as usable, has_sequence_privilege(q.seqrelid, 'update') as settable ` +
  `from pg_sequence q cross join lateral (select (case when q.seqincrement > 0 then max(${values}) else min(${values}) end)::numeric as goal ` +
  `from ${from}) w where q.seqrelid = ${sequenceOf(column)} and ${leavesRoom(column, 'w.goal')}`

/**
 * An expression: text of the value that the sequence was moved to; null if it need not move, and `denied` if the role of
 * the connection may not move it. A sequence that was never used tells its place only when it is used.
 */
export const moveText = (column: CountedColumn, rows: { readonly values: string; readonly from: string }): string =>
  `(select case when not d.usable then 'denied' when d.steps <= 0 then null ` +
  `when d.steps <= case when d.settable then ${shortWay.ifSettable} else ${shortWay.otherwise} end ` +
  `then (select max(x.v)::text from (select nextval(d.id) as v from generate_series(1, d.steps::integer)) x) ` +
  `when not d.settable then 'denied' ` +
  `when pg_advisory_xact_lock(${lockNumber}, hashoid(d.id)) is not null then setval(d.id, ` +
  `(case when d.step > 0 then greatest(pg_sequence_last_value(d.id), d.place + d.steps * d.step) ` +
  `else least(pg_sequence_last_value(d.id), d.place + d.steps * d.step) end)::bigint)::text end ` +
  `from (select c.*, ceil((c.goal - c.place) / c.step) as steps ` +
  `from (select b.*, case when b.usable then coalesce(pg_sequence_last_value(b.id), nextval(b.id)) end::numeric as place ` +
  `from (${goalText(column, rows)}) b) c) d)`
