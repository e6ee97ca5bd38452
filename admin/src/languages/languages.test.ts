import { expect, test } from 'vitest'
import { systemNames } from '../../../src/domain/model/system-collections.ts'
import { choicesOf } from '../inputs/kinds.ts'
import type { Collection } from '../model/model.ts'
import { described } from '../model/system-fields.ts'
import { setLanguage, toCollectionChoice, toFieldLabel, toLabel } from '../model/texts.ts'
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

/** Fields that forms show of records of the platform, with their choices. */
const shown = Object.entries(described).flatMap(([collection, fields]) =>
  Object.entries(fields).map(([field, meta]) => ({ path: [collection, field], choices: meta.options?.['choices'] })),
)

const at = (tree: Tree | string | undefined, path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (found as Tree | undefined)?.[name], tree)

test('every field of the platform that forms show has a text, and so has each of its choices', () => {
  const { fields, choices } = english.app as unknown as { fields: Tree; choices: Tree }
  const named = shown.filter(({ path }) => typeof at(fields, path) === 'string')
  expect(shown.filter((each) => !named.includes(each))).toEqual([])
  const chosen = shown.filter(({ choices: given }) => Array.isArray(given))
  for (const { path, choices: given } of chosen) {
    const values = (given as readonly { readonly value: string }[]).map(({ value }) => value)
    expect([path, Object.keys((at(choices, path) ?? {}) as Tree)]).toEqual([path, values])
  }
  expect(chosen.length).toBeGreaterThan(5)
})

test('fields of the platform are named in the language of the interface, others as they are', () => {
  const choices = [{ text: 'active', value: 'active' }]
  const meta = { options: { choices } }
  const status = { collection: 'directus_users', field: 'status', type: 'string', schema: null, meta }
  setLanguage('de', german.app)
  expect(toFieldLabel({ ...status, field: 'email' })).toBe('E-Mail-Adresse')
  expect(choicesOf(status)).toEqual([{ text: 'Aktiv', value: 'active' }])
  expect(toFieldLabel({ ...status, collection: 'users', field: 'email' })).toBe('Email')
  expect(choicesOf({ ...status, collection: 'users' })).toEqual(choices)
  const translations = [{ language: 'de-DE', translation: 'Stand' }]
  expect(toFieldLabel({ ...status, meta: { translations } })).toBe('Stand')
})

test('collections of the platform have a name in each language', () => {
  expect(Object.keys(english.app.collections).toSorted()).toEqual(systemNames.toSorted())
})

const collection = (name: string, isSystem: boolean) =>
  ({ name, isSystem, meta: { translations: null } }) as unknown as Collection

test('collections of the platform are named in the language of the interface, others as they are', () => {
  const named = ['platform_users', 'directus_users', 'platform_role_levels', 'platform_more'].map((name) =>
    collection(name, true),
  )
  setLanguage('de', german.app)
  expect(named.map(toLabel)).toEqual(['Benutzer', 'Benutzer', 'Stufen der Rollen', 'More'])
  expect(toLabel(collection('users', false))).toBe('Users')
  const choices = [collection('platform_users', true), collection('users', false)].map(toCollectionChoice)
  expect(choices).toEqual(['Benutzer (platform_users)', 'users'])
  setLanguage('en', english.app)
  expect(named.map(toLabel)).toEqual(['Users', 'Users', 'Role levels', 'More'])
})
