select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where ((t0."title" is null or t0."title" = '') and t0."keywords" <> '' and t0."body" is null and t0."body" is not null) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list"]
