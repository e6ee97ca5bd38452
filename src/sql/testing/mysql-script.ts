/** Scripts of tests, which are written for Postgres, in the words of MariaDB. */

const counters =
  /select setval\(pg_get_serial_sequence\(name, 'id'\), (\d+)\) from unnest\(array\[([^\]]*)\]\) as name/g
const counter = /select setval\('"?(\w+?)_id_seq"?', (\d+)\)/g

/** The same statements. */
export function scriptOf(sql: string): string {
  return (
    sql
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
      .replaceAll(/\bE'((?:[^'\\]|\\.|'')*)'/g, (_text, literal: string) => `'${literal.replaceAll(/\\(.)/g, '$1')}'`)
      .replaceAll(/generate_series\((\d+), (\d+)\) (?:as )?(\w+)/g, '(select seq as $3 from seq_$1_to_$2) $3')
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
      .replaceAll(/\breferences ("?\w+"?)(?!"?\w|\s*\()/g, 'references $1 (id)')
      .replaceAll(/\btruncate ([\w, ]+?)(?: restart identity)?(?: cascade)?(?=;|$)/g, (_text, names: string) =>
        [
          'set foreign_key_checks = 0',
          ...names.split(', ').map((name) => `truncate table ${name}`),
          'set foreign_key_checks = 1',
        ].join(';\n'),
      )
      .replaceAll(/\bcomment on [^;]*;/g, '')
      // A key needs a length.
      .replaceAll(/\btext (primary key|not null unique|unique|not null primary key)/g, 'varchar(255) $1')
  )
}
