/** The page of all errors: kinds with the codes of both generations, and the numbers of version 8. */
import { readFileSync } from 'node:fs'
import { toErrorBody as toCurrent } from '../../src/current/wire/errors.ts'
import { type ErrorKind, type Failure, TandemError } from '../../src/domain/rights/errors.ts'
import { toErrorBody as toLegacy } from '../../src/legacy/wire/errors.ts'
import { type ErrorText, errorTexts, legacyTexts, protocolTexts } from './error-texts.ts'
import { code, head, table } from './table.ts'

const about = `The current generation answers \`{"errors": [{"message", "extensions": {"code", …}}]}\`, and the same as \`error\` for tools that look there. Version 8 answers \`{"error": {"code", "message"}}\`. An error that is not on this page is a fault: 500 \`INTERNAL_SERVER_ERROR\` (version 8: \`0\`, \`9\` or \`400\`), without details; the log has them under the id of the request.`

/** Values that each kind takes what it needs from; \`problems\` distinguish codes of version 8. */
const facts = {
  collections: [],
  relations: [],
  reason: 'Expected …',
  name: 'name',
  collection: 'articles',
  field: 'title',
  type: 'required',
  operator: '_like',
  limit: 1,
  mediaType: 'text/plain',
  expected: 'application/json',
  revision: '1',
  hasher: 'none',
  supported: '1.0.0',
  condition: 'If-Match',
  size: 1,
  range: 'bytes=5-',
  retryAfter: 1,
  reset: '',
  path: '/',
  method: 'PUT',
  allowed: ['GET'],
  project: 'blog',
  service: 'database',
}

const problems: { readonly [Kind in ErrorKind]?: readonly string[] } = {
  'upload-failed': [
    'several',
    'too-large',
    'beyond-form',
    'incomplete',
    'missing',
    'no-folder',
    'not-written',
    'stopped',
    'unknown',
  ],
  'invalid-model': [
    'collection-exists',
    'field-exists',
    'unknown-type',
    'length-missing',
    'length-unsupported',
    'unmanaged',
    'altering',
    'contradictory',
  ],
  'mail-failed': ['transport', 'options', 'server'],
  'project-fault': [
    'settings',
    'cache-adapter',
    'cache-settings',
    'storage-settings',
    'folder',
    'file',
    'taken',
    'database',
    'connection',
  ],
}

type Row = {
  readonly kind: ErrorKind
  readonly text: ErrorText
  readonly current: string
  readonly legacy: ReadonlyMap<number, number>
}

const request = { path: '/items/articles', headers: {}, query: {}, cookies: {}, method: 'GET' }

const rowOf = ([kind, text]: readonly [string, ErrorText]): Row => {
  const failures = (problems[kind as ErrorKind] ?? [undefined]).map(
    (problem) => new TandemError({ ...facts, problem, kind } as unknown as Failure),
  )
  const { status, body } = toCurrent(failures[0] ?? null, request)
  const [first] = (body as { readonly errors: readonly { readonly extensions: { readonly code: string } }[] }).errors
  const legacy = failures.map((failure) => {
    const answer = toLegacy(failure, request as never)
    return [(answer.body as { readonly error: { readonly code: number } }).error.code, answer.status] as const
  })
  return { kind: kind as ErrorKind, text, current: `${status} \`${first?.extensions.code}\``, legacy: new Map(legacy) }
}

export function errorsPage(): string {
  const rows = Object.entries(errorTexts).map(rowOf)
  const kinds = rows.map(({ kind, text, current, legacy }) => [
    kind.replaceAll('-', ' '),
    current,
    [...legacy].map(([number, status]) => `${status} ${code(String(number))}`).join(', '),
    text.cause,
    text.cure,
  ])
  return [
    head('Errors', about),
    table(['error', 'current', 'version 8', 'cause', 'cure'], kinds),
    '',
    '## Codes of the current generation',
    '',
    ...byCode(rows),
    '',
    table(
      ['code of one protocol', 'where', 'cause', 'cure'],
      Object.entries(protocolTexts).map(([name, { where, cause, cure }]) => [code(name), where, cause, cure]),
    ),
    '',
    '## Codes of version 8',
    '',
    table(['code', 'status', 'name', 'cause', 'cure'], legacyRows(rows)),
    '',
  ].join('\n')
}

/** One line per code: which errors have it. */
function byCode(rows: readonly Row[]): readonly string[] {
  const codes = Map.groupBy(rows, ({ current }) => current)
  return [
    table(
      ['code', 'errors'],
      [...codes]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([current, found]) => [current, found.map(({ kind }) => kind.replaceAll('-', ' ')).join(', ')]),
    ),
  ]
}

/** The codes that the README of the legacy specification lists, whose tests provoke them. */
function legacyRows(rows: readonly Row[]): readonly (readonly string[])[] {
  const readme = readFileSync(new URL('../../openapi/legacy/README.md', import.meta.url), 'utf8')
  return [...readme.matchAll(/^\| (\d+) \| (\d+) \| ([^|]+) \|/gm)].map(([, number = '', status = '', name = '']) => {
    const found = rows.find(({ legacy }) => legacy.get(Number(number)) === Number(status))
    // The text of a kind with several codes says nothing about each.
    const shared = found !== undefined && found.legacy.size === 1 ? found.text : undefined
    const text = legacyTexts[`${status} ${number}`] ?? legacyTexts[number] ?? shared
    if (text === undefined)
      throw new Error(`codegen/reference/error-texts.ts lacks the code ${number} (${name}) of version 8`)
    return [code(number), status, name.trim(), text.cause, text.cure]
  })
}
