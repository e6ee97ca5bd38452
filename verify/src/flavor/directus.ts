/** Where a Directus server answers differently from what the checks expect, and why. */
import type { Difference } from './flavors.ts'

export const directusDifferences: readonly Difference[] = [
  { check: /^items \w+: .*conditional/, because: 'There is no If-Match: conditional writes always succeed.' },
  {
    check: /answered with 304|another ETag|not shared between users/,
    because: 'An ETag is that of the body text, not of the item.',
  },
  { check: /^legacy /, because: 'There is no legacy API.' },
  {
    check: /export/,
    because: 'Texts of exported files differ (`json` is indented, `csv` has no line for empty lists).',
  },
  { check: /^spec /, because: 'The served spec lists other statuses than those that are answered.' },
  {
    check: /impossible pages/,
    because: 'Impossible values of `limit`, `offset` and `page` are changed into possible ones.',
  },
  {
    check: /invalid filters/,
    because: 'Some operators are applied to fields of any type, and texts are cast to numbers.',
  },
  { check: /search/, because: 'Search looks into numbers and identifiers too, by rules that depend on the version.' },
  { check: /invalid documents/, because: 'Errors of validation are answered with the status 400.' },
  { check: /data model is closed/, because: 'Some paths answer 403 only after the body was validated.' },
]
