import { expect, test } from 'vitest'
import { readArguments, UsageError } from './src/arguments.ts'

const needed = ['--url', 'https://example.com', '--admin-token', 'secret']

test('options have their defaults', () => {
  expect(readArguments(needed, {})).toEqual({
    kind: 'verify',
    url: 'https://example.com',
    adminToken: 'secret',
    only: [],
    bail: false,
    readOnly: false,
    concurrency: 4,
    budget: 10_000,
    seed: null,
    runs: 30,
    specFile: null,
    flavor: 'tandem',
    format: 'text',
    output: null,
  })
})

test('options are read, address and token from the environment too', () => {
  const args = [
    '--only',
    'rights',
    '--only',
    'lists',
    '--bail',
    '--read-only',
    '--seed=-5',
    '--budget',
    '500',
    '--report',
    'junit',
  ]
  const env = { TANDEM_URL: 'http://localhost:8055', TANDEM_ADMIN_TOKEN: 'secret' }
  expect(readArguments(args, env)).toMatchObject({
    url: 'http://localhost:8055',
    only: ['rights', 'lists'],
    bail: true,
    readOnly: true,
    seed: -5,
    budget: 500,
    format: 'junit',
  })
})

const refused: readonly (readonly [args: readonly string[], message: string])[] = [
  [[], '--url is missing'],
  [['--url', 'https://example.com'], '--admin-token is missing'],
  [['--url', 'example.com', '--admin-token', 'x'], 'Expected an http address for --url but received "example.com"'],
  [[...needed, '--concurrency', '0'], 'Expected a whole number of at least 1 for --concurrency but received "0"'],
  [[...needed, '--report', 'pdf'], 'Expected text, json, junit, markdown, html for --report but received "pdf"'],
  [[...needed, '--flavor', 'x'], 'Expected tandem, directus for --flavor but received "x"'],
  [['start'], 'Unknown command "start"'],
  [['diff', 'one'], 'diff takes two documents'],
]

test.each(refused)('%j is refused', (args, message) => {
  expect(() => readArguments(args, {})).toThrow(new UsageError(message))
})

test('an unknown option is refused', () => {
  expect(() => readArguments([...needed, '--nothing'], {})).toThrow(UsageError)
})

test('help and versions need nothing else', () => {
  expect(readArguments(['--help'], {})).toEqual({ kind: 'help' })
  expect(readArguments(['--version'], {})).toEqual({ kind: 'version' })
})
