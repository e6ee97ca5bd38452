with s0 as materialized (
  select * from (
    select t0."id", t0."status" from "articles" t0 order by t0."sort", t0."id" limit 100::bigint
  ) t0
), s1 as materialized (
  select t3."article", t3."approved", t3."id" from "comments" t3 where t3."article" in (
    select t1."id" from s0 t1
  )
), s2 as materialized (
  select t6."article", t6."id" from "comments" t6 where t6."article" in (
    select t1."id" from s0 t1
  )
), s3 as materialized (
  select t9."article", t9."sort", t9."id" from "articles_tags" t9 where t9."article" in (
    select t1."id" from s0 t1
  )
) select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select (
    select coalesce(json_agg(t2."id"::text), '[]') from (
      select t2."id" from s1 t2 where t2."article" = t0."id" and t2."approved" = $1::boolean order by t2."id"
    ) t2
  ) as "comments", case when t0."status" = $2::text then (
    select coalesce(json_agg(t5."id"::text), '[]') from (
      select t5."id" from s2 t5 where t5."article" = t0."id" order by t5."id"
    ) t5
  ) end as "guarded", (
    select coalesce(json_agg(t8."id"), '[]') from (
      select t8."id" from s3 t8 where t8."article" = t0."id" order by t8."sort", t8."id"
    ) t8
  ) as "tags" from s0 t0
) r
-- ["list",true,"published"]
