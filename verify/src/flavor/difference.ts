/** A difference takes a check away, or says why its failure is expected. */
export type Difference = {
  /** A part of the titles of the checks that do not apply. */
  readonly check: RegExp
  /** What the foreign deployment does, and since when. */
  readonly because: string
}
