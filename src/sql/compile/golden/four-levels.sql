with s0 as materialized (
  select * from (
    select t0."name", t0."id" from "regions" t0 order by t0."name", t0."id" limit 100::bigint
  ) t0
), s1 as materialized (
  select t3."id", t3."region", t3."name" from "authors" t3 where t3."region" in (
    select t1."id" from s0 t1
  )
), s2 as materialized (
  select t6."id", t6."author", t6."sort", t6."title" from "articles" t6 where t6."author" in (
    select t4."id" from s1 t4
  )
), s3 as materialized (
  select t9."article", t9."sort", t9."id", t9."tag" from "articles_tags" t9 where t9."article" in (
    select t7."id" from s2 t7
  )
) select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."name" as "name", (
    select coalesce(json_agg(r.*), '[]') from (
      select t2."name" as "name", (
        select coalesce(json_agg(r.*), '[]') from (
          select t5."title" as "title", (
            select coalesce(json_agg(r.*), '[]') from (
              select t8."tag" as "tag" from (
                select t8."tag" from s3 t8 where t8."article" = t5."id" order by t8."sort", t8."id" limit 100::bigint
              ) t8
            ) r
          ) as "tags" from (
            select t5."title", t5."id" from s2 t5 where t5."author" = t2."id" order by t5."sort", t5."id" limit 100::bigint
          ) t5
        ) r
      ) as "articles" from (
        select t2."name", t2."id" from s1 t2 where t2."region" = t0."id" order by t2."id" limit 100::bigint
      ) t2
    ) r
  ) as "authors" from s0 t0
) r
-- []
