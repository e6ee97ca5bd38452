with s0 as materialized (
  select * from (
    select t0."slug", t0."id" from "pages" t0 order by t0."id" limit 100::bigint
  ) t0
), s1 as materialized (
  select t3."page", t3."sort", t3."id", t3."collection", t3."item" from "pages_blocks" t3 where t3."page" in (
    select t1."id" from s0 t1
  )
) select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."slug" as "slug", (
    select coalesce(json_agg(r.*), '[]') from (
      select t2."collection" as "collection", case t2."collection" when 'headings' then (
        select row_to_json(r.*) from (
          select t5."id" as "id", t5."text" as "text" from "headings" t5 where t5."id" = case when t2."item" ~ '^-?[0-9]{1,18}$' then t2."item"::bigint end
        ) r
      ) when 'paragraphs' then (
        select to_json(t6."id") from "paragraphs" t6 where t6."id" = case when t2."item" ~ '^-?[0-9]{1,18}$' then t2."item"::bigint end
      ) end as "item" from (
        select t2."collection", t2."item" from s1 t2 where t2."page" = t0."id" order by t2."sort", t2."id" limit 100::bigint
      ) t2
    ) r
  ) as "blocks" from s0 t0
) r
-- []
