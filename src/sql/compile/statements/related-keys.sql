select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select (
    select coalesce(json_agg(t1."id"::text), '[]') from (
      select t1."id" from "comments" t1 where t1."article" = t0."id" and t1."approved" = $1::boolean order by t1."id"
    ) t1
  ) as "comments", case when t0."status" = $2::text then (
    select coalesce(json_agg(t2."id"::text), '[]') from (
      select t2."id" from "comments" t2 where t2."article" = t0."id" order by t2."id"
    ) t2
  ) end as "guarded", (
    select coalesce(json_agg(t3."id"), '[]') from (
      select t3."id" from "articles_tags" t3 where t3."article" = t0."id" order by t3."sort", t3."id"
    ) t3
  ) as "tags" from (
    select t0."id", t0."status" from "articles" t0 order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list",true,"published"]
