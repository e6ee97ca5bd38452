/** Parses the steps of a transformation against the table of operations. */

import { type ImageFormat, imageFormats, type Step } from '../domain/ports/images.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { encoderOptions } from './encoders.ts'
import { countInputs } from './inputs.ts'
import { eightBit, operationNames, operations, spellings } from './operations.ts'
import { type Rule, wrong } from './rules.ts'

/** Operations that may occur once: the library silently applies only the last call. */
const single: ReadonlySet<string> = new Set([
  'affine',
  'boolean',
  'composite',
  'dilate',
  'erode',
  'pipelineColourspace',
  'withMetadata',
])

/**
 * Parses a list of `[operation, ...arguments]`. Throws `invalid-query` that names the invalid part.
 * @example parseSteps([['blur', 3]], 5) // [{ name: 'blur', args: [3] }]
 */
export function parseSteps(value: unknown, max: number): readonly Step[] {
  if (!Array.isArray(value)) throw wrong('transforms', 'a list of lists', value)
  if (value.length > max) {
    const reason = `Expected at most ${max} operations for "transforms" but received ${value.length}`
    throw new TandemError({ kind: 'invalid-query', name: 'transforms', reason })
  }
  const steps = value.map((each: unknown, at) => parseStep(each, `transforms[${at}]`))
  checkTogether(steps, max)
  return steps
}

function checkTogether(steps: readonly Step[], max: number): void {
  const names = steps.map(({ name }) => name)
  const again = names.findIndex((name, at) => single.has(name) && names.indexOf(name) < at)
  if (again >= 0) throw wrong(`transforms[${again}]`, `at most one "${names[again]}"`, steps[again]?.name)
  const count = countInputs(steps)
  if (count > max) throw wrong('transforms', `at most ${max} inputs of "composite" and "boolean"`, count)
  const at = names.indexOf('pipelineColourspace')
  const space = steps[at]?.args[0]
  const narrow = names.find((name) => eightBit.has(name))
  if (narrow === undefined || space === undefined || space === 'srgb' || space === 'b-w') return
  throw wrong(`transforms[${at}][1]`, `srgb or b-w beside "${narrow}"`, space)
}

function parseStep(value: unknown, path: string): Step {
  if (!Array.isArray(value) || typeof value[0] !== 'string') throw wrong(path, 'a list that begins with a name', value)
  const [input, ...args] = value as [string, ...unknown[]]
  const name = Object.hasOwn(spellings, input) ? (spellings[input] as string) : input
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
  if (operation === undefined) throw wrong(path, `one of ${operationNames.join(', ')}`, input)
  if (args.length > operation.args.length || args.length < operation.needs) {
    throw wrong(path, `${operation.needs} to ${operation.args.length} arguments of ${input}`, args)
  }
  for (const [at, arg] of args.entries()) {
    if (name === 'resize' && arg === null) continue
    const rule = name === 'toFormat' && at === 1 ? optionsOf(args[0]) : operation.args[at]
    check(rule, arg, { path: `${path}[${at + 1}]`, operation: input })
  }
  return { name, args }
}

/** Adds the name of the operation to an error about one of its arguments. */
function check(rule: Rule | undefined, arg: unknown, { path, operation }: { path: string; operation: string }): void {
  try {
    rule?.(arg, path)
  } catch (error) {
    const [failure] = error instanceof TandemError ? error.failures : []
    if (failure?.kind !== 'invalid-query') throw error
    throw new TandemError({ ...failure, reason: `${failure.reason} (an argument of "${operation}")` }, { cause: error })
  }
}

/** Parses the options of the format in the first argument. */
const optionsOf = (word: unknown): Rule => encoderOptions[formatOf(word) as keyof typeof encoderOptions]

/** The format that a step requests; null if none does. */
export function formatOfStep({ name, args }: Step): ImageFormat | null {
  if (name === 'toFormat') return formatOf(args[0])
  return imageFormats.find((each) => each === name) ?? null
}

/** Normalises `jpg` to `jpeg`. */
export function formatOf(word: unknown): ImageFormat {
  return word === 'jpg' ? 'jpeg' : (word as ImageFormat)
}
