/** The public policy gets the id that tools of this generation's other servers expect. */
import { seedIds } from '../../../domain/schema/identity.ts'
import type { Migration } from '../migrate.ts'

const before = '00000000-0000-4000-8000-000000000012'

/** Foreign keys are checked at once, so the row is copied, and goes when nothing refers to it. */
export const publicPolicyId: Migration = {
  name: '0032-public-policy-id',
  statements: (knex) => [
    knex.schema.raw(
      `insert into platform_policies
        select (json_populate_record(p, json_build_object('id', '${seedIds.publicPolicy}'))).*
        from platform_policies p where p.id = '${before}'`,
    ),
    ...['platform_access', 'platform_permissions'].map((table) =>
      knex(table).where({ policy: before }).update({ policy: seedIds.publicPolicy }),
    ),
    knex('platform_policies').where({ id: before }).delete(),
  ],
}
