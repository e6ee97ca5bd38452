/** The Dockerfile and compose.yaml fit the repository and the settings of the server. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ValidationSeverity, validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { settingList } from '../src/config/settings.ts'

const root = join(import.meta.dirname, '..')
const textOf = (name: string): string => readFileSync(join(root, name), 'utf8')
const lines = textOf('Dockerfile').split('\n')
const argumentsOf = (word: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
const copied = argumentsOf('COPY')
  .filter((line) => !line.startsWith('--from'))
  .flatMap((line) => line.split(' ').slice(0, -1))

/** Also what the linter only warns of. */
const strict = {
  directiveCasing: ValidationSeverity.ERROR,
  emptyContinuationLine: ValidationSeverity.ERROR,
  instructionCasing: ValidationSeverity.ERROR,
  instructionCmdMultiple: ValidationSeverity.ERROR,
  instructionEntrypointMultiple: ValidationSeverity.ERROR,
  instructionHealthcheckMultiple: ValidationSeverity.ERROR,
  instructionJSONInSingleQuotes: ValidationSeverity.ERROR,
  instructionWorkdirRelative: ValidationSeverity.ERROR,
}
const lint = (text: string): readonly unknown[] => validate(text, strict).map(({ message }) => message)

test('a linter finds nothing in the Dockerfile', () => {
  const text = textOf('Dockerfile')
  expect(lint(text)).toEqual([])
  const broken = text.replace('--interval', '--intervall').replace('["start"]', "['start']")
  expect(lint(broken)).toEqual(['Unknown flag: intervall', expect.stringContaining('single quotes')])
})

test('the image runs without root, tells its health and how it is stopped', () => {
  expect(argumentsOf('USER')).toEqual(['node'])
  expect(argumentsOf('STOPSIGNAL')).toEqual(['SIGTERM'])
  expect(argumentsOf('HEALTHCHECK')).toHaveLength(1)
})

test('the image copies what exists', () => {
  expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([])
})

test('compose names settings of the server and its port', () => {
  const { services } = parse(textOf('compose.yaml')) as {
    readonly services: { readonly tandem: { readonly ports: readonly string[]; readonly environment: object } }
  }
  const { ports, environment } = services.tandem
  const known = new Set(settingList.map(([name]) => name))
  expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([])
  expect(ports).toEqual(argumentsOf('EXPOSE').map((port) => `${port}:${port}`))
})
