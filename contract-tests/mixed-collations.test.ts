/** Related columns of texts may have been made with different collations, which MariaDB and MySQL do not compare. */
import { afterAll, describe, expect, test } from 'vitest'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'

const pairs = perVendor<readonly (readonly [string, string])[]>({
  postgres: [['varchar(20)', 'varchar(20)']],
  mariadb: [
    ['varchar(20) collate utf8mb4_general_ci', 'varchar(20) collate utf8mb4_unicode_ci'],
    ['varchar(20) collate latin1_german1_ci', 'varchar(20) collate latin1_swedish_ci'],
    ['varchar(20) collate latin2_croatian_ci', 'varchar(20) collate latin1_general_ci'],
    ['varchar(20) collate ucs2_general_ci', 'varchar(20) collate utf8mb4_general_ci'],
    ['varchar(20) collate utf8mb3_general_ci', 'varchar(20) collate utf8mb4_unicode_ci'],
    ['varchar(20) collate latin1_bin', 'varchar(20) collate utf8mb4_unicode_ci'],
    ['varchar(20) collate utf8mb4_bin', 'varchar(20) collate utf8mb4_general_ci'],
  ],
})

const sql = pairs
  .map(
    ([key, reference], at) => `
create table parents${at} (id ${key} primary key, name varchar(20));
create table children${at} (id integer primary key, parent ${reference});
insert into parents${at} values ('é', 'Ann'), ('b', 'Bob');
insert into children${at} values (1, 'é'), (2, 'b'), (3, null);
insert into platform_relations (many_collection, many_field, one_collection, one_field)
  values ('children${at}', 'parent', 'parents${at}', 'children');`,
  )
  .join('\n')
const own = await openOwnDatabase(sql)
afterAll(() => own.close())

const data = async (request: string): Promise<unknown> => {
  const { body } = await own.ask(request)
  return (body as { readonly data?: unknown }).data ?? body
}

describe.each(pairs.map(([key, reference], at) => [key, reference, at] as const))('%s and %s', (_key, _other, at) => {
  test.each(['', '/_'])('are joined in reads of %s/items', async (prefix) => {
    const [children, parents] = [`GET ${prefix}/items/children${at}`, `GET ${prefix}/items/parents${at}`]
    expect(await data(`${children}?fields=id,parent.name&sort=id`)).toEqual([
      { id: 1, parent: { name: 'Ann' } },
      { id: 2, parent: { name: 'Bob' } },
      { id: 3, parent: null },
    ])
    expect(await data(`${parents}?fields=name,children.id&sort=name`)).toEqual([
      { name: 'Ann', children: [{ id: 1 }] },
      { name: 'Bob', children: [{ id: 2 }] },
    ])
  })

  test('are joined in filters, sorts and nested writes', async () => {
    const filter = encodeURIComponent('{"parent":{"name":{"_eq":"Ann"}}}')
    expect(await data(`GET /items/children${at}?fields=id&filter=${filter}`)).toEqual([{ id: 1 }])
    expect(await data(`GET /items/children${at}?fields=id&sort=-parent.name&filter[parent][_nnull]=true`)).toEqual([
      { id: 2 },
      { id: 1 },
    ])
    const body = { children: [{ id: 2 }, { id: 3 }] }
    expect((await own.ask(`PATCH /items/parents${at}/b`, { body })).status).toBe(200)
    expect(await data(`GET /items/children${at}/3?fields=parent`)).toEqual({ parent: 'b' })
  })
})
