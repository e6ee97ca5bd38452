select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles_tags" t0 where (t0."article", t0."tag") in (
      select t2."article", t2."tag" from "articles" t1 join "articles_tags" t2 on t2."article" = t1."id"
    ) order by t0."article", t0."tag" limit 100::bigint
  ) t0
) r
-- ["list"]
