with s0 as materialized (
  select * from (
    select t0."id" from "articles" t0 order by t0."id" limit 2::bigint
  ) t0
), s1 as materialized (
  select t3."article", t3."id" from "comments" t3 where t3."article" in (
    select t1."id" from s0 t1
  )
), s2 as materialized (
  select t6."article", t6."tag", t6."sort", t6."id" from "articles_tags" t6 where t6."article" in (
    select t1."id" from s0 t1
  )
) select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id", (
    select coalesce(json_agg(t2."id"::text), '[]') from (
      select t2."id" from s1 t2 where t2."article" = t0."id" order by t2."id" desc limit 1::bigint offset 1::bigint
    ) t2
  ) as "comments", (
    select coalesce(json_agg(t5."id"), '[]') from (
      select t5."id" from s2 t5 where t5."article" = t0."id" and t5."tag" <> $1::text order by t5."sort", t5."id" limit 100::bigint
    ) t5
  ) as "tags" from s0 t0
) r
-- ["sea"]
