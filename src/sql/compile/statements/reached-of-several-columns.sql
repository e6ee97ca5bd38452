select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles_tags" t0 where ((t0."article", t0."tag") in (
      select t2."article", t2."tag" from "homepage" t1 join "articles_tags" t2 on t2."article" = t1."featured_article" and t2."tag" = t1."headline" where t1."id" > $1::bigint
    ) or (t0."article", t0."tag") in (
      select t4."article", t4."tag" from "homepage" t3 join "articles_tags" t4 on t4."article" = t3."featured_article" and t4."tag" = t3."headline"
    )) order by t0."article", t0."tag" limit 100::bigint
  ) t0
) r
-- ["list",1]
