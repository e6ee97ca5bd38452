select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "$key", case when t0."status" = $1::text then t0."id" end as "g" from (
    select t0."id", t0."status" from "articles" t0 order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list","published"]
