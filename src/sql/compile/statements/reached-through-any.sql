select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "headings" t0 where (t0."id" = any(nullif(array(
      select t3."id"::bigint from "pages" t1 join "pages_blocks" t2 on t2."page" = t1."id" join "headings" t3 on t2."collection" = 'headings' and t3."id" = case when t2."item" ~ '^-?[0-9]{1,18}$' then t2."item"::bigint end
    ), '{}')) and t0."id" = any(nullif(array(
      select t5."id"::bigint from "pages" t4 join "pages_blocks" t5 on t5."page" = t4."id"
    ), '{}'))) order by t0."id" limit 100::bigint
  ) t0
) r
-- ["list"]
