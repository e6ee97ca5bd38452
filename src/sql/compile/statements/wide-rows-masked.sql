select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select case when t0."body"::text <> '' then '**********' end as "body" from (
    select t0."body" from "articles" t0 order by t0."sort", t0."id"
  ) t0
) r
-- ["list"]
