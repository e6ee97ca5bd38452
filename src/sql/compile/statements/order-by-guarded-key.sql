select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 order by case when t0."status" = $1::text then t0."id" end, t0."id" limit 100::bigint
  ) t0
) r
-- ["list","published"]
