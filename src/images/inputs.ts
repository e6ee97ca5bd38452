/**
 * Further input images that steps name: files by id, and plain colours. Permissions on the files are checked by the
 * caller, which passes the contents of the readable files by id.
 */

import { isUuid } from '../domain/conditions/literals.ts'
import type { Step } from '../domain/ports/images.ts'
import { both, colour, flag, integer, list, members, type Rule, word, wrong } from './rules.ts'

/** Limit in pixels of each side of an image. */
const side = 65_535

const blends = (
  'clear source over in out atop dest dest-over dest-in dest-out dest-atop xor add saturate multiply screen overlay ' +
  'darken lighten colour-dodge color-dodge colour-burn color-burn hard-light soft-light difference exclusion'
).split(' ')

const gravities = 'centre center north northeast east southeast south southwest west northwest'.split(' ')

const plain = members(
  {
    create: members({ width: integer(1, side), height: integer(1, side), channels: word(3, 4), background: colour }, [
      'width',
      'height',
      'channels',
      'background',
    ]),
  },
  ['create'],
)

const input: Rule = (value, path) => {
  if (typeof value === 'object' && value !== null) plain(value, path)
  else if (typeof value !== 'string' || !isUuid(value)) throw wrong(path, 'the id of a file or {"create": …}', value)
}

const offset = integer(-side, side)

const gravity: Rule = (value, path) => (typeof value === 'number' ? integer(0, 8) : word(...gravities))(value, path)

const bothOffsets: Rule = (value, path) => {
  const { left, top } = value as { readonly left?: number; readonly top?: number }
  if ((left === undefined) === (top === undefined)) return
  throw wrong(`${path}.${left === undefined ? 'left' : 'top'}`, 'a value beside the other offset', undefined)
}

const layer = both(
  members({ input, blend: word(...blends), gravity, left: offset, top: offset, tile: flag, premultiplied: flag }, [
    'input',
  ]),
  bothOffsets,
)

/** The layers, from bottom to top. */
export const compositeArguments: readonly Rule[] = [list(layer, 1, 100)]

/** The other image, and the bitwise operator. */
export const booleanArguments: readonly Rule[] = [input, word('and', 'or', 'eor')]

type Input = string | { readonly create: { readonly width: number; readonly height: number } }

/** One layer of `composite`. */
export type Layer = { readonly input: Input; readonly [option: string]: unknown }

/** The inputs that the steps name, in order. */
function inputsOf(steps: readonly Step[]): readonly Input[] {
  return steps.flatMap(({ name, args }) => {
    if (name === 'composite') return (args[0] as readonly Layer[]).map((each) => each.input)
    return name === 'boolean' ? [args[0] as Input] : []
  })
}

export const countInputs = (steps: readonly Step[]): number => inputsOf(steps).length

/** The file ids among the inputs, without duplicates. */
export const inputFiles = (steps: readonly Step[]): readonly string[] => [
  ...new Set(inputsOf(steps).flatMap((each) => (typeof each === 'string' ? [each.toLowerCase()] : []))),
]
