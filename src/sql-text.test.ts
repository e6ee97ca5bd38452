import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const root = dirname(fileURLToPath(import.meta.url))

const tables = 'table|index|unique|schema|database|extension|trigger|function|type|view|sequence|column|or replace'

/** What tells SQL from English and from code; keywords are written in one case. */
const patterns: readonly RegExp[] = [
  /^\s*(?:select|SELECT)\s/,
  /^\s*(?:insert into|INSERT INTO|delete from|DELETE FROM|lock table|LOCK TABLE)\s/,
  /^\s*(?:update\s+\S+(?:\s+(?:as\s+)?\w+)?\s+set|UPDATE\s+\S+(?:\s+(?:AS\s+)?\w+)?\s+SET)\s/,
  /^\s*(?:with|WITH)\s+(?:recursive\s+|RECURSIVE\s+)?\S+(?:\s*\([^)]*\))?\s+(?:as|AS)\s*\(/,
  new RegExp(`^\\s*(?:create|alter|drop|truncate) (?:${tables})\\s|^\\s*(?:CREATE|ALTER|DROP|TRUNCATE) [A-Z]+\\s`),
  /^\s*(?:truncate|TRUNCATE|notify|NOTIFY|listen|LISTEN|savepoint|SAVEPOINT)\s+["\w]+\s*$/,
  /\b(?:from|join|into|FROM|JOIN|INTO) "?platform_\w+/,
  /\b(?:on conflict|returning|for update) (?:do|nothing|set|skip|nowait|\(|\*)/,
  /\bis (?:not )?distinct from\b/,
  /\$[0-9]/,
  /::(?:text|uuid|int|integer|bigint|smallint|boolean|jsonb?|date|timestamptz?|interval|numeric|regclass)\b/,
  /\b(?:pg_[a-z_]+|hashtext|coalesce|json_agg|row_number|unnest|any|ANY)\s?\((?:\$|\w|')/,
]

/** Classes of the states in which the driver reports failures. */
const sqlState = /^(?:08|22|23|25|26|28|40|42|53|54|55|57|58|XX)[0-9A-Z]{3}$/

const isSql = (text: string): boolean => sqlState.test(text) || patterns.some((pattern) => pattern.test(text))

type Literal = { readonly text: string; readonly line: number }

/** Strings and templates of a file, but for texts that replace what a regular expression has found. */
function literalsOf(file: string, source: string): readonly Literal[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const found: Literal[] = []
  const visit = (node: ts.Node): void => {
    const text = textOf(node)
    if (text !== null && !isReplacement(node)) {
      found.push({ text, line: parsed.getLineAndCharacterOfPosition(node.getStart(parsed)).line + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(parsed)
  return found
}

/** A template's values read as a question mark. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return null
  return node.head.text + node.templateSpans.map(({ literal }) => `?${literal.text}`).join('')
}

const isReplacement = ({ parent }: ts.Node): boolean =>
  ts.isCallExpression(parent) &&
  ts.isPropertyAccessExpression(parent.expression) &&
  /^replace(?:All)?$/.test(parent.expression.name.text)

const isTest = (file: string): boolean => file.endsWith('.test.ts') || /(?:^|\/)test-[\w-]+\.ts$/.test(file)

const files = globSync('**/*.ts', { cwd: root }).filter((file) => !isTest(file) && !file.startsWith('generated/'))

const sqlIn = (file: string): readonly string[] =>
  literalsOf(file, readFileSync(join(root, file), 'utf8'))
    .filter(({ text }) => isSql(text))
    .map(({ line, text }) => `src/${file}:${line}: ${text.trim().split('\n', 1)[0]}`)

test('SQL text is written in src/sql only', () => {
  expect(files.filter((file) => !file.startsWith('sql/')).flatMap(sqlIn)).toEqual([])
})

test('every area of statements is seen to hold SQL', () => {
  const areas = files.filter((file) => file.startsWith('sql/statements/') && !file.endsWith('/answers.ts'))
  expect(areas.length).toBeGreaterThan(10)
  expect(areas.filter((file) => sqlIn(file).length === 0)).toEqual([])
})

describe('what counts as SQL', () => {
  test.each([
    'select 1',
    'SELECT id FROM articles',
    'insert into articles (id) values (1)',
    'update articles a set title = null',
    'delete from articles',
    '\nwith recursive up (parent) as (',
    'create table articles (id integer)',
    'alter table articles drop column title',
    'drop index articles_title',
    'truncate articles',
    'lock table articles in exclusive mode',
    'notify tandem',
    'join platform_roles r on r.id = l.parent',
    'where id = $1',
    'id::text',
    'id = any(?)'.replace('?', 'keys'),
    'on conflict do nothing',
    'pg_advisory_xact_lock(7)',
    '40001',
    '23505',
  ])('%j does', (text) => expect(isSql(text)).toBe(true))

  test.each([
    'update',
    'Select an item',
    'Delete objects in storage that no file has',
    'with its column',
    'Create a user and print its id.',
    'Expected one of a, b',
    'platform_users',
    'SET NULL',
    '::1',
    '$NOW',
    '10000',
  ])('%j does not', (text) => expect(isSql(text)).toBe(false))
})
