import { expect, test } from 'vitest'
import { german } from './de.ts'
import { english } from './en.ts'

type Tree = { readonly [name: string]: string | Tree }

const paths = (tree: Tree, prefix = ''): readonly string[] =>
  Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${prefix}${name}`] : paths(value, `${prefix}${name}.`),
  )

const variables = (tree: Tree): readonly string[] =>
  Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [`${name}: ${[...new Set(value.match(/%\{\w+\}/g) ?? [])].toSorted().join()}`]
      : variables(value),
  )

test('every text is there in every language', () => {
  expect(paths(german as Tree).toSorted()).toEqual(paths(english as Tree).toSorted())
})

test('texts of the application name the same values in every language', () => {
  expect(variables(german.app as Tree)).toEqual(variables(english.app as Tree))
})
