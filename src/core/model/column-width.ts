/** The width of numbers by the names of their SQL types, on all vendors. Pure. */
import type { ColumnPlan, StoredType } from '../../sql/dialects/ddl-plan.ts'

const widths: { readonly [type: string]: { readonly [dataType: string]: ColumnPlan['width'] } } = {
  integer: {
    smallint: 'small',
    tinyint: 'small',
    integer: null,
    int: null,
    'int unsigned': null,
    'int zerofill': null,
    mediumint: null,
  },
  float: { 'double precision': 'double', double: 'double', real: null, float: null },
}

/** The width in the name of an SQL type; undefined if it contains none for this type. */
export const widthOf = (type: StoredType, dataType: string | null | undefined): ColumnPlan['width'] | undefined =>
  widths[type]?.[dataType?.toLowerCase() ?? '']
