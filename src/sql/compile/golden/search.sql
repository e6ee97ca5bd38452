select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (t0."title" ilike $1::text or case when t0."status" = $3::text then t0."body" ilike $2::text end or t0."views" = $4::bigint or t0."reads" = $5::bigint or t0."price" = $6::numeric or t0."token" = $7::uuid) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["%42%","%42%","published","42","42","42",null]
