select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."slug" as "slug", (
    select coalesce(json_agg(r.*), '[]') from (
      select t1."collection" as "collection", case t1."collection" when 'headings' then (
        select row_to_json(r.*) from (
          select t2."id" as "id", t2."text" as "text" from "headings" t2 where t2."id" = case when t1."item" ~ '^-?[0-9]{1,18}$' then t1."item"::bigint end
        ) r
      ) when 'paragraphs' then (
        select row_to_json(r.*) from (
          select t3."text" as "text" from "paragraphs" t3 where t3."id" = case when t1."item" ~ '^-?[0-9]{1,18}$' then t1."item"::bigint end and t3."id" > $1::bigint
        ) r
      ) end as "item" from (
        select t1."collection", t1."item" from "pages_blocks" t1 where t1."page" = t0."id" order by t1."sort", t1."id" limit 100::bigint
      ) t1
    ) r
  ) as "blocks" from (
    select t0."slug", t0."id" from "pages" t0 order by t0."id" limit 100::bigint
  ) t0
) r
-- [0]
