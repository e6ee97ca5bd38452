/** Arguments of `tandem-verify`. */
import { parseArgs } from 'node:util'
import { type FlavorName, flavors } from './flavor/flavors.ts'
import { type Format, formats } from './report/formats.ts'

/** Arguments that do not hold; the message says which. */
export class UsageError extends Error {}

export const usage = `Usage: tandem-verify --url <address> --admin-token <token> [options]
       tandem-verify diff <old> <new> [--usage <counts>]

Checks a running deployment from outside. Makes collections, rows and a user under a unique prefix and removes them.

  --url <address>          base address; or TANDEM_URL
  --admin-token <token>    token of an administrator; or TANDEM_ADMIN_TOKEN
  --only <text>            only checks whose title contains the text; may be repeated
  --bail                   end at the first failure
  --read-only              make nothing, change nothing
  --concurrency <n>        checks at a time (4)
  --budget <ms>            longest time of one request (10000)
  --seed <n>               seed of the random checks
  --runs <n>               random cases per random check (30)
  --spec <file>            OpenAPI document in place of the served one
  --flavor <name>          ${Object.keys(flavors).join(' or ')} (tandem)
  --report <format>        ${formats.join(', ')} (text)
  --output <file>          file of the report (standard output)
  --help, --version

Exit codes: 0 all passed, 1 something failed, 2 could not run.
diff compares two OpenAPI documents or two GraphQL schemas (files or addresses): 0 not breaking, 1 breaking, 2 not read.
With --usage, the answer of GET /usage or the output of "tandem usage --json" (file or address), it names the clients
that each change breaks: 1 a client breaks, 3 breaking, but no client is counted. --report json prints it for programs.
Addresses are asked with --admin-token, if it is given.
`

export type Arguments =
  | { readonly kind: 'help' | 'version' }
  | {
      readonly kind: 'diff'
      readonly before: string
      readonly after: string
      readonly isJson: boolean
      /** Sent to documents at an address; null = none. */
      readonly token: string | null
      /** Counts of a server; null = none. */
      readonly usage: string | null
    }
  | ({ readonly kind: 'verify' } & VerifyArguments)

export type VerifyArguments = {
  readonly url: string
  readonly adminToken: string
  readonly only: readonly string[]
  readonly bail: boolean
  readonly readOnly: boolean
  readonly concurrency: number
  readonly budget: number
  readonly seed: number | null
  readonly runs: number
  readonly specFile: string | null
  readonly flavor: FlavorName
  readonly format: Format
  readonly output: string | null
}

const options = {
  url: { type: 'string' },
  'admin-token': { type: 'string' },
  only: { type: 'string', multiple: true },
  bail: { type: 'boolean' },
  'read-only': { type: 'boolean' },
  concurrency: { type: 'string' },
  budget: { type: 'string' },
  seed: { type: 'string' },
  runs: { type: 'string' },
  spec: { type: 'string' },
  usage: { type: 'string' },
  flavor: { type: 'string' },
  report: { type: 'string' },
  output: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

/** Throws `UsageError`. */
export function readArguments(
  args: readonly string[],
  env: { readonly [name: string]: string | undefined },
): Arguments {
  const { values, positionals } = parsed(args)
  if (values.help === true) return { kind: 'help' }
  if (values.version === true) return { kind: 'version' }
  const [command, before, after, ...more] = positionals
  if (command === 'diff') {
    if (before === undefined || after === undefined || more.length > 0) throw new UsageError('diff takes two documents')
    const isJson = choice('report', values.report ?? 'text', formats) === 'json'
    // Not that of the environment, which may be meant for another address.
    return { kind: 'diff', before, after, isJson, token: values['admin-token'] ?? null, usage: values.usage ?? null }
  }
  if (command !== undefined) throw new UsageError(`Unknown command "${command}"`)
  const seed = values.seed === undefined ? null : whole('seed', values.seed, -(2 ** 31))
  return {
    kind: 'verify',
    url: address(values.url ?? env['TANDEM_URL']),
    adminToken: demanded('admin-token', values['admin-token'] ?? env['TANDEM_ADMIN_TOKEN']),
    only: values.only ?? [],
    bail: values.bail === true,
    readOnly: values['read-only'] === true,
    concurrency: whole('concurrency', values.concurrency ?? '4', 1),
    budget: whole('budget', values.budget ?? '10000', 1),
    seed,
    runs: whole('runs', values.runs ?? '30', 1),
    specFile: values.spec ?? null,
    flavor: choice('flavor', values.flavor ?? 'tandem', Object.keys(flavors) as FlavorName[]),
    format: choice('report', values.report ?? 'text', formats),
    output: values.output ?? null,
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function demanded(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing`)
  return value
}

function address(value: string | undefined): string {
  const text = demanded('url', value)
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new UsageError(`Expected an http address for --url but received "${text}"`)
  return text
}

function whole(name: string, text: string, least: number): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`Expected a whole number of at least ${least} for --${name} but received "${text}"`)
  }
  return value
}

function choice<T extends string>(name: string, value: string, known: readonly T[]): T {
  const choice = known.find((each) => each === value)
  if (choice === undefined) throw new UsageError(`Expected ${known.join(', ')} for --${name} but received "${value}"`)
  return choice
}
