select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select (
    select t2."number" from "platform_roles" t2 where t2."id" = t1.k0
  ) as "role", (
    select row_to_json(r.*) from (
      select (
        select t3."number" from "platform_users" t3 where t3."id" = t1.v0
      ) as "id"
    ) r
  ) as "min" from (
    select t0.k0, min(t0.v0::text)::uuid as v0 from (
      select t0."role" as k0, t0."id" as v0 from "platform_users" t0
    ) t0 group by t0.k0 order by k0 limit 100::bigint
  ) t1
) r
-- ["list"]
