select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id", (
    select coalesce(json_agg(t1."id"), '[]') from (
      select t1."id" from "articles_tags" t1 where t1."article" = t0."id" and t1."tag" <> $1::text order by t1."sort", t1."id"
    ) t1
  ) as "tags", (
    select coalesce(json_agg(t2."id"::text), '[]') from (
      select t2."id" from "comments" t2 where t2."article" = t0."id" order by t2."id"
    ) t2
  ) as "comments" from (
    select t0."id" from "articles" t0 order by t0."id" limit 2::bigint
  ) t0
) r
-- ["sea"]
