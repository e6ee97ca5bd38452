select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select case t0."collection" when 'headings' then (
    select row_to_json(r.*) from (
      select t1."text" as "text" from "headings" t1 where t1."id" = case when split_part(t0."item", ';', 1) ~ '^-?[0-9]{1,18}$' then split_part(t0."item", ';', 1)::bigint end and t1."text" = replace(replace(replace(split_part(t0."item", ';', 2), '%2C', ','), '%3B', ';'), '%25', '%') and (replace(replace(replace(t1."id"::text, '%', '%25'), ';', '%3B'), ',', '%2C') || ';' || replace(replace(replace(t1."text"::text, '%', '%25'), ';', '%3B'), ',', '%2C')) = t0."item" and t1."text" = $1::text
    ) r
  ) when 'paragraphs' then (
    select row_to_json(r.*) from (
      select t2."id" as "id" from "paragraphs" t2 where t2."id" = case when t0."item" ~ '^-?[0-9]{1,18}$' then t0."item"::bigint end
    ) r
  ) end as "item" from (
    select t0."collection", t0."item" from "pages_blocks" t0 where exists (
      select 1 from "headings" t3 where t0."collection" = 'headings' and t3."id" = case when split_part(t0."item", ';', 1) ~ '^-?[0-9]{1,18}$' then split_part(t0."item", ';', 1)::bigint end and t3."text" = replace(replace(replace(split_part(t0."item", ';', 2), '%2C', ','), '%3B', ';'), '%25', '%') and (replace(replace(replace(t3."id"::text, '%', '%25'), ';', '%3B'), ',', '%2C') || ';' || replace(replace(replace(t3."text"::text, '%', '%25'), ';', '%3B'), ',', '%2C')) = t0."item"
    ) order by t0."id" limit 100::bigint
  ) t0
) r
-- ["list","x"]
