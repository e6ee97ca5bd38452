import { describe, expect, test } from 'vitest'
import { renderAll } from './render.ts'

const list = (parameter: string, type = 'longtext character set utf8mb4 collate utf8mb4_bin') =>
  `(select j.v from json_table(coalesce(${parameter}, '[null]'), '$[*]' columns (v ${type} path '$')) j)`
const uuids = list('?', 'char(36) character set ascii collate ascii_bin')

describe('statements in the words of MariaDB', () => {
  test.each<readonly [string, string, string, readonly number[]]>([
    ['parameters in their order', 'select $2, $1, $2', 'select ?, ?, ?', [2, 1, 2]],
    ['texts are left alone', `select '$1 = any($2)::text', "a""b"`, `select '$1 = any($2)::text', "a""b"`, []],
    [
      'casts of parameters',
      'where id = $1::uuid and at > $2::timestamptz',
      'where id = ? and at > cast(? as datetime(6))',
      [1, 2],
    ],
    ['casts to exact numbers', 'where n > $1::numeric(30, 10)', 'where n > cast(? as decimal(30, 10))', [1]],
    [
      'casts of columns',
      'select a.id::text, count(*)::int from a',
      'select cast(a.id as char) as id, cast(count(*) as signed) from a',
      [],
    ],
    [
      'lists',
      'where id::text = any($1) and x <> all ($2)',
      `where cast(id as char) in ${list('?')} and x not in ${list('?')}`,
      [1, 2],
    ],
    [
      'lists of a type, which an index of the column finds',
      'select 1 from a where id = any($1::uuid[]) or n = any($2::integer[])',
      `select 1 from a where id in ${uuids} or n in ${list('?', 'bigint')}`,
      [1, 2],
    ],
    [
      'changes by a list, which lock no other rows',
      'delete from a where id = any($1::uuid[])',
      `delete a from a where id in ${uuids}`,
      [1],
    ],
    [
      'changes by a list, in one table',
      'update a set b = $2 where id = any($1::uuid[])',
      `update a join (select 1 as one) one set b = ? where id in ${uuids}`,
      [2, 1],
    ],
    [
      'distinct',
      'where a is distinct from b.c and d is not distinct from $1',
      'where not (a <=> b.c) and d <=> ?',
      [1],
    ],
    ['intervals', `now() - interval '1 minute'`, 'now(6) - interval 1 minute', []],
    ['milliseconds', `now() + $1 * interval '1 millisecond'`, 'now(6) + interval (? * 1000) microsecond', [1]],
    [
      'conflicts that change',
      'insert into t (a) values ($1) on conflict (a) do update set a = excluded.a',
      'insert into t (a) values (?) on duplicate key update a = values(a)',
      [1],
    ],
    [
      'conflicts that do nothing',
      'insert into t (a) values ($1) on conflict do nothing',
      'insert ignore into t (a) values (?)',
      [1],
    ],
    ['aliases of deletions', 'delete from t o where o.a', 'delete o from t o where o.a', []],
    ['reserved names', 'select key, s.key from t', 'select "key", s."key" from t', []],
    ['earlier results', 'where id = any($$1)', `where id in ${list('?')}`, [-1]],
    ['nulls in extremes', 'least(a, $1)', 'least(coalesce(a, ?), coalesce(?, a))', [1, 1]],
    [
      'types of columns',
      'create table "t" ("id" serial primary key, "n" serial not null, "u" uuid, "at" timestamptz not null, "b" timestamptz, "c" numeric(5, 2))',
      'create table "t" ("id" int not null auto_increment primary key, "n" int not null auto_increment unique not null, "u" char(36) character set ascii collate ascii_bin, "at" timestamp(6) not null, "b" timestamp(6) /*M! null */, "c" decimal(5, 2)) character set utf8mb4 collate utf8mb4_bin',
      [],
    ],
  ])('%s', (_what, text, sql, order) => {
    expect(renderAll(text)).toMatchObject([{ sql, order }])
  })

  test('a script is several statements, and a trigger is one', () => {
    expect(renderAll('a; b ;').map(({ sql }) => sql)).toEqual(['a', 'b'])
    expect(renderAll('create trigger t before insert on a for each row begin set x = 1; end')).toHaveLength(1)
  })

  test('an unknown cast is an error', () => {
    expect(() => renderAll('select $1::polygon')).toThrow('No cast to polygon is known')
  })
})
