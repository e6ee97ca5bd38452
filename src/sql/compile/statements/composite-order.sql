select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles_tags" t0 order by array_position($1::text[], (replace(replace(replace(t0."article"::text, '%', '%25'), ';', '%3B'), ',', '%2C') || ';' || replace(replace(replace(t0."tag"::text, '%', '%25'), ';', '%3B'), ',', '%2C'))), t0."article", t0."tag" limit 100::bigint
  ) t0
) r
-- ["list",["1;ice","2;sea"]]
