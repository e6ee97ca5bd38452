with s0 as materialized (
  select * from (
    select t0."article", t0."tag" from "articles_tags" t0 where not exists (
      select 1 from "homepage" t8 where t8."featured_article" = t0."article" and t8."headline" = t0."tag"
    ) order by t0."article", t0."tag" limit 100::bigint
  ) t0
), s1 as materialized (
  select t3."featured_article", t3."headline", t3."id" from "homepage" t3 where (t3."featured_article", t3."headline") in (
    select t1."article", t1."tag" from s0 t1
  )
), s2 as materialized (
  select t6."featured_article", t6."headline" from "homepage" t6 where (t6."featured_article", t6."headline") in (
    select t1."article", t1."tag" from s0 t1
  )
) select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select (
    select coalesce(json_agg(t2."id"), '[]') from (
      select t2."id" from s1 t2 where t2."featured_article" = t0."article" and t2."headline" = t0."tag" order by t2."id"
    ) t2
  ) as "picked_by", (
    select count(*) from s2 t5 where t5."featured_article" = t0."article" and t5."headline" = t0."tag"
  ) as "n" from s0 t0
) r
-- ["list"]
