select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select (
    select coalesce(json_agg(t1."id"), '[]') from (
      select t1."id" from "homepage" t1 where t1."featured_article" = t0."article" and t1."headline" = t0."tag" order by t1."id"
    ) t1
  ) as "picked_by", (
    select count(*) from "homepage" t2 where t2."featured_article" = t0."article" and t2."headline" = t0."tag"
  ) as "n" from (
    select t0."article", t0."tag" from "articles_tags" t0 where not exists (
      select 1 from "homepage" t3 where t3."featured_article" = t0."article" and t3."headline" = t0."tag"
    ) order by t0."article", t0."tag" limit 100::bigint
  ) t0
) r
-- ["list"]
