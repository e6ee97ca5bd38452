/** The operators on one column, in standard SQL; a vendor gives those that it writes in another way. */
import type { Dialect } from './dialect.ts'

/** `upper`: the second bound of `between`. */
export type Operator = (left: string, right: string, upper: string) => string

type VendorOperators = {
  readonly equal: Operator
  readonly unequal: Operator
  /** Whether the text matches the pattern; `ilike` in any case of letters. */
  readonly like: Operator
  readonly ilike: Operator
  /** Whether the bounding boxes of geometries intersect. */
  readonly intersectsBox: Operator
}

export const infix =
  (operator: string): Operator =>
  (left, right) =>
    `${left} ${operator} ${right}`

const negated =
  (operator: Operator): Operator =>
  (left, right, upper) =>
    `not (${operator(left, right, upper)})`

const between: Operator = (left, lower, upper) => `${left} between ${lower} and ${upper}`
const intersects: Operator = (left, right) => `st_intersects(${left}, ${right})`

export const createOperators = (vendor: VendorOperators): Dialect['operators'] => {
  const { equal, unequal, like, ilike, intersectsBox } = vendor
  return {
    eq: equal,
    neq: unequal,
    lt: infix('<'),
    lte: infix('<='),
    gt: infix('>'),
    gte: infix('>='),
    null: (left) => `${left} is null`,
    nnull: (left) => `${left} is not null`,
    empty: (left) => `(${left} is null or ${left} = '')`,
    nempty: (left) => `${left} <> ''`,
    contains: like,
    ncontains: negated(like),
    icontains: ilike,
    nicontains: negated(ilike),
    startsWith: like,
    nstartsWith: negated(like),
    istartsWith: ilike,
    nistartsWith: negated(ilike),
    endsWith: like,
    nendsWith: negated(like),
    iendsWith: ilike,
    niendsWith: negated(ilike),
    like: ilike,
    nlike: negated(ilike),
    between,
    nbetween: negated(between),
    intersects,
    nintersects: negated(intersects),
    intersectsBox,
    nintersectsBox: negated(intersectsBox),
  }
}
