select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select (replace(replace(replace(t0."featured_article"::text, '%', '%25'), ';', '%3B'), ',', '%2C') || ';' || replace(replace(replace(t0."headline"::text, '%', '%25'), ';', '%3B'), ',', '%2C')) as "pick", (
    select row_to_json(r.*) from (
      select t1."sort" as "sort" from "articles_tags" t1 where t1."article" = t0."featured_article" and t1."tag" = t0."headline"
    ) r
  ) as "picked" from (
    select t0."featured_article", t0."headline" from "homepage" t0 left join "articles_tags" t3 on t3."article" = t0."featured_article" and t3."tag" = t0."headline" where exists (
      select 1 from "articles_tags" t2 where t2."article" = t0."featured_article" and t2."tag" = t0."headline" and t2."sort" > $1::bigint
    ) order by (replace(replace(replace(t0."featured_article"::text, '%', '%25'), ';', '%3B'), ',', '%2C') || ';' || replace(replace(replace(t0."headline"::text, '%', '%25'), ';', '%3B'), ',', '%2C')), t3."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list",1]
