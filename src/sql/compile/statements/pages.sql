select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 order by t0."sort", t0."id" limit $1::bigint offset $2::bigint
  ) t0
) r
-- ["list",7,3]
