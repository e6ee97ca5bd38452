import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { folderPrefix, removeStaleFolders } from './folders.ts'

const parent = mkdtempSync(join(tmpdir(), 'tandem-folders-'))
const path = (name: string): string => join(parent, name)
const folder = (name: string, age: number): void => {
  mkdirSync(path(name))
  writeFileSync(join(path(name), 'source'), 'half a picture')
  const then = new Date(Date.now() - age)
  utimesSync(path(name), then, then)
}

afterAll(() => rmSync(parent, { recursive: true }))

test('folders of killed servers are removed, those in use or of others are not', async () => {
  const hour = 3_600_000
  folder(`${folderPrefix}old`, hour)
  folder(`${folderPrefix}new`, 1000)
  folder('another-old', hour)
  symlinkSync(path('another-old'), path(`${folderPrefix}link`))
  expect(await removeStaleFolders(parent, new Date())).toBe(1)
  const left = [`${folderPrefix}old`, `${folderPrefix}new`, 'another-old', `${folderPrefix}link`]
  expect(left.map((name) => existsSync(path(name)))).toEqual([false, true, true, true])
  expect(existsSync(join(path('another-old'), 'source'))).toBe(true)
})
