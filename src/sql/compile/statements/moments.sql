select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where (t0."date_created" < $1::timestamptz and t0."published_on" >= $2::date and t0."published_on" = any($3::date[])) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list","2024-07-15T11:59:59.000Z","2024-06-15",null]
