select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."name" as "name", (
    select coalesce(json_agg(r.*), '[]') from (
      select t1."name" as "name", (
        select coalesce(json_agg(r.*), '[]') from (
          select t2."title" as "title", (
            select coalesce(json_agg(r.*), '[]') from (
              select t3."tag" as "tag" from (
                select t3."tag" from "articles_tags" t3 where t3."article" = t2."id" order by t3."sort", t3."id" limit 100::bigint
              ) t3
            ) r
          ) as "tags" from (
            select t2."title", t2."id" from "articles" t2 where t2."author" = t1."id" order by t2."sort", t2."id" limit 100::bigint
          ) t2
        ) r
      ) as "articles" from (
        select t1."name", t1."id" from "authors" t1 where t1."region" = t0."id" order by t1."id" limit 100::bigint
      ) t1
    ) r
  ) as "authors" from (
    select t0."name", t0."id" from "regions" t0 order by t0."name", t0."id" limit 100::bigint
  ) t0
) r
-- []
