/** Scripts of tests, which are written for Postgres, in the words of MariaDB. */

const counters =
  /select setval\(pg_get_serial_sequence\(name, 'id'\), (\d+)\) from unnest\(array\[([^\]]*)\]\) as name/g
const counter = /select setval\('"?(\w+?)_id_seq"?', (\d+)\)/g

/** What MariaDB does not have, and a test can do without. */
const withoutExtras = (sql: string): string =>
  sql
    .replaceAll(/create (?:or replace )?function .*?\$\$.*?\$\$[^;]*(;|$)/gs, '')
    .replaceAll(/create (?:extension|(?:unique )?index on [^;]* where) [^;]*(;|$)/g, '')
    .replaceAll(/create (?:constraint )?trigger [^;]* execute function [^;]*(;|$)/g, '')
    .replaceAll(/\banalyze (\w+)/g, 'analyze table $1')
    .replaceAll(/\banalyze\s*(?=;|$)/g, '')
    .replaceAll(/ deferrable(?: initially deferred)?/g, '')
    .replaceAll(/\bcomment on [^;]*;/g, '')
    .replaceAll(/\bcitext\b/g, 'varchar(255) collate utf8mb4_general_ci')
    .replaceAll(/create (unique )?index on (\w+) ([^;]*)/g, (_text, unique = '', table: string, rest: string) => {
      const name = `${table}_${rest.replaceAll(/\W+/g, '_')}`.slice(0, 60)
      return `create ${unique}index ${name} on ${table} ${rest}`
    })

/** Columns of a table that are a key, unique or refer to one. */
const keysText = /\b(?:primary key|unique|foreign key) \(([^)]*)\)/g

/** Texts have a length where they are part of a key, and the key that is referred to is named. */
function withKeys(sql: string): string {
  const keys = new Map<string, string>()
  return sql.replaceAll(/create table "?(\w+)"? \([^;]*/g, (table, name: string) => {
    const whole = /\bprimary key \(([^)]*)\)/.exec(table)?.[1]
    keys.set(name, whole ?? /(\w+) [\w()]+(?: not null)? primary key/.exec(table)?.[1] ?? 'id')
    const parts = [...table.matchAll(keysText)].flatMap(([, columns = '']) => columns.split(/, ?/))
    const sized = parts.reduce((text, part) => text.replace(`${part} text`, `${part} varchar(100)`), table)
    return sized.replaceAll(/\breferences (\w+)(?!\w|\s*\()/g, (_text, other: string) => {
      return `references ${other} (${keys.get(other) ?? 'id'})`
    })
  })
}

/** The numbers from first to last, as the places of a list. */
const seriesOf = (_text: string, first: string, last: string, name: string): string =>
  `(select n + ${Number(first) - 1} as ${name} from json_table(concat('[0', repeat(',0', ${Number(last) - Number(first)}), ']'), '$[*]' columns (n for ordinality)) j) ${name}`

/** Columns of enumerated types have the words themselves. */
function withWords(sql: string): string {
  const types = [...sql.matchAll(/create type (\w+) as (enum \([^)]*\));?/g)]
  return types.reduce(
    (text, [whole, name, words]) =>
      text.replace(whole, '').replaceAll(new RegExp(`(\\w+ )${name}\\b(?=,| |\\))`, 'g'), `$1${words}`),
    sql,
  )
}

const reference =
  / references ("(?:[^"]|"")+"|\w+) ?(\([^)]*\))((?: on (?:delete|update) (?:cascade|restrict|set null|set default|no action))*)/

/** MySQL passes over a reference that stands at its column. */
function withForeignKeys(sql: string): string {
  const tables = sql.replaceAll(tableText, (_text, head: string, body: string) => {
    const keys: string[] = []
    const parts = partsOf(body).map((part) => {
      const column = /^\s*("(?:[^"]|"")+"|\w+) /.exec(part)?.[1] ?? ''
      if (/^(constraint|foreign|primary|unique|check)$/i.test(column)) return part
      return part.replace(reference, (key) => {
        keys.push(` foreign key (${column})${key}`)
        return ''
      })
    })
    return `${head}${[...parts, ...keys].join(',')})`
  })
  return tables.replaceAll(addedText, (_text, column: string, type: string, key: string) => {
    return ` add column ${column}${type}, add foreign key (${column})${key}`
  })
}

const tableText = /(create table (?:"(?:[^"]|"")+"|\w+) \()((?:[^()']|'[^']*'|\((?:[^()']|'[^']*'|\([^()]*\))*\))*)\)/g
const addedText =
  / add column ("(?:[^"]|"")+"|\w+)( [^,;]*?)( references (?:"(?:[^"]|"")+"|\w+) ?\([^)]*\)(?: on (?:delete|update) (?:cascade|restrict|set null))*)/g

/** The parts between commas outside of parentheses and quotes. */
const partsOf = (list: string): readonly string[] =>
  list.match(/(?:[^,()'"]|'[^']*'|"[^"]*"|\((?:[^()']|'[^']*'|\([^()]*\))*\))+/g) ?? []

/** The same statements. */
export function scriptOf(sql: string): string {
  return withForeignKeys(
    withKeys(withoutExtras(withWords(sql)))
      .replaceAll(counters, (_text, last: string, names: string) =>
        [...names.matchAll(/'(\w+)'/g)]
          .map(([, name]) => `alter table ${name} auto_increment = ${Number(last) + 1}`)
          .join(';\n'),
      )
      .replaceAll(
        counter,
        (_text, name: string, last: string) => `alter table ${name} auto_increment = ${Number(last) + 1}`,
      )
      .replaceAll(/'(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d+)?)Z'/g, "'$1 $2'")
      .replaceAll(/'::timestamptz\b/g, "'")
      .replaceAll(/\b(\w+) \* interval '1 (\w+)'/g, 'interval $1 $2')
      .replaceAll('current_database()', 'database()')
      .replaceAll(/'\\x([\da-f]*)'/gi, "x'$1'")
      .replaceAll(/'\{(\w+(?:,\w+)*)\}'/g, (_text, words: string) => `'${JSON.stringify(words.split(','))}'`)
      .replaceAll(
        /(?<=[\s(,=])E'((?:[^'\\]|\\.|'')*)'/g,
        (_text, literal: string) => `'${literal.replaceAll(/\\(.)/g, '$1')}'`,
      )
      .replaceAll(/generate_series\((\d+), (\d+)\) (?:as )?(\w+)/g, seriesOf)
      .replaceAll(
        /unnest\(array\[([^\]]*)\]\) (?:as )?(\w+)/g,
        (_text, words: string, name: string) =>
          `(${words
            .split(',')
            .map((word) => `select ${word.trim()} as ${name}`)
            .join(' union all ')}) ${name}`,
      )
      .replaceAll(
        /set session_replication_role = (\w+)/g,
        (_text, role: string) => `set foreign_key_checks = ${role === 'replica' ? 0 : 1}`,
      )
      // A reference names the key, and tables with references are emptied one by one.
      .replaceAll(/\breferences ("(?:[^"]|"")+"|\w+)(?!"?\w|\s*\()/g, 'references $1 (id)')
      .replaceAll(/\btruncate ([\w, ]+?)(?: restart identity)?(?: cascade)?(?=;|$)/g, (_text, names: string) =>
        [
          'set foreign_key_checks = 0',
          ...names.split(', ').map((name) => `truncate table ${name}`),
          'set foreign_key_checks = 1',
        ].join(';\n'),
      )
      // A key needs a length.
      .replaceAll(/\btext (primary key|not null unique|unique|not null primary key)/g, 'varchar(255) $1')
      .replaceAll(/;(?:\s*;)+/g, ';')
      .replace(/^[\s;]+/, ''),
  )
}
