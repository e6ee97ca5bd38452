select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles_tags" t0 where (replace(replace(replace(t0."article"::text, '%', '%25'), ';', '%3B'), ',', '%2C') || ';' || replace(replace(replace(t0."tag"::text, '%', '%25'), ';', '%3B'), ',', '%2C')) = any(nullif(array(
      select (replace(replace(replace(t2."article"::text, '%', '%25'), ';', '%3B'), ',', '%2C') || ';' || replace(replace(replace(t2."tag"::text, '%', '%25'), ';', '%3B'), ',', '%2C')) from "articles" t1 join "articles_tags" t2 on t2."article" = t1."id"
    ), '{}')) order by t0."article", t0."tag" limit 100::bigint
  ) t0
) r
-- ["list"]
