import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { german } from '../languages/de.ts'
import { toGermanReason } from '../languages/de-reasons.ts'
import { sentences } from '../languages/de-sentences.ts'
import { english } from '../languages/en.ts'
import { setProblemTexts } from './problem-texts.ts'
import { fieldProblems, problemLines } from './problems.ts'

const failure = (message: string, extensions: object) => ({ message, extensions })

const errors = [
  failure('A', { code: 'RECORD_NOT_UNIQUE', field: 'email' }),
  failure('B', { code: 'FAILED_VALIDATION', field: 'size', type: 'gte', valid: 3 }),
  failure('C', { code: 'FAILED_VALIDATION', field: 'kind', type: 'in', valid: ['a', 'b'] }),
  failure('D', { code: 'FAILED_VALIDATION', field: 'name', type: 'regex', reason: 'Two words, please' }),
  failure('E', { code: 'FAILED_VALIDATION', field: 'place', type: 'intersects' }),
  failure('F', { code: 'UNPROCESSABLE_CONTENT', reason: 'No.' }),
  failure('G', { code: 'UNPROCESSABLE_CONTENT' }),
  failure('H', { code: 'FORBIDDEN' }),
]

test('errors are told by code and values, in the language of the interface', () => {
  setProblemTexts(german.app.problem)
  expect(fieldProblems({ errors })).toEqual({
    email: 'Ein anderer Eintrag hat diesen Wert schon.',
    size: 'Der Wert muss mindestens 3 sein.',
    kind: 'Der Wert muss einer von diesen sein: a, b.',
    name: 'Two words, please',
    place: 'E',
  })
  expect(problemLines({ errors: errors.slice(5) })).toBe(
    'Der Server kann das nicht ausführen: No.\nG\nDas ist Ihnen nicht erlaubt, oder es ist nicht mehr da.',
  )
  setProblemTexts(english.app.problem)
  expect(problemLines({ errors: errors.slice(0, 2) })).toBe(
    'Email: Another item has this value already.\nSize: The value has to be at least 3.',
  )
  expect([fieldProblems(null), fieldProblems({}), problemLines({})]).toEqual([{}, {}, null])
})

const denied = (what: string) =>
  failure(`You don't have permission to access ${what} or it does not exist.`, { code: 'FORBIDDEN' })

test('a denial names the field or the collection in the language of the interface', () => {
  setProblemTexts(german.app.problem)
  const given = [denied('field "price" in collection "articles"'), denied('collection "secrets"')]
  expect(problemLines({ errors: given })).toBe(
    'Das Feld „price“ von „articles“ dürfen Sie nicht verwenden, oder es ist nicht mehr da.\n' +
      'Mit „secrets“ ist Ihnen das nicht erlaubt, oder es ist nicht mehr da.',
  )
})

test.each([
  [
    'Expected an integer for field "views" but received "abc"',
    'Erwartet: eine ganze Zahl für „views“; gekommen: "abc"',
  ],
  ['Expected a text for "name" but received nothing', 'Erwartet: ein Text für „name“; gekommen: nichts'],
  [
    'Expected an integer from 1 to 5 for "limit" but received 9',
    'Erwartet: eine ganze Zahl von 1 bis 5 für „limit“; gekommen: 9',
  ],
  [
    'Expected a list or an object for the body but received a text',
    'Erwartet: eine Liste oder ein Objekt; gekommen: ein Text',
  ],
  ['Expected a number or null for "size" but received true', 'Erwartet: eine Zahl oder null für „size“; gekommen: ja'],
  ['Expected "title" but received nothing', 'Erwartet: "title"; gekommen: nichts'],
  [
    'Expected at most 500 items, related ones included, but received more',
    'Erwartet: höchstens 500 Einträge, samt verknüpften; gekommen: mehr',
  ],
  ['Expected one of a, b for "kind" but received "c"', 'Erwartet: eines von a, b für „kind“; gekommen: "c"'],
  ['Expected inputs no larger than the image for "composite"', null],
  ['Expected a new name but "horses" exists already', 'Den Namen „horses“ gibt es schon.'],
  ['Expected 3 cells but received 4', 'Die Zeile hat 4 Zellen statt 3.'],
  ['An empty file is not allowed.', 'Die Datei ist leer.'],
  [
    'Expected a field of type "integer", as the key of "horses" is',
    'Das Feld muss die Art „integer“ haben, wie der Schlüssel von „horses“.',
  ],
  ['Something else', null],
])('the reason %j in German', (reason, told) => {
  setProblemTexts(german.app.problem, toGermanReason)
  const text = problemLines({ errors: [failure('', { code: 'UNPROCESSABLE_CONTENT', reason })] })
  expect(text).toBe(`Der Server kann das nicht ausführen: ${told ?? reason}`)
})

test('every sentence that is known in German is one of the server', () => {
  const folder = fileURLToPath(new URL('../../../src/', import.meta.url))
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const source = names
    .map((name) => readFileSync(`${folder}${name}`, 'utf8').replaceAll(/\$\{[^{}]*\}/g, '%'))
    .join('\n')
  const unknown = Object.keys(sentences).filter((said) => {
    const parts = said.split(/"?%\{\d\}"?/).filter((part) => part !== '')
    return !parts.every((part) => source.includes(part))
  })
  expect(unknown).toEqual([])
})

test('every code of the server has a text', () => {
  const source = readFileSync(new URL('../../../src/current/wire/error-rows.ts', import.meta.url), 'utf8')
  const codes = new Set([...source.matchAll(/(?:code: |\d, |ofColumn\()'([A-Z_]+)'/g)].map(([, code = '']) => code))
  expect(codes.size).toBeGreaterThan(25)
  // The rule that a value breaks has the text.
  codes.delete('FAILED_VALIDATION')
  expect([...codes].filter((code) => !(code in english.app.problem))).toEqual([])
})
