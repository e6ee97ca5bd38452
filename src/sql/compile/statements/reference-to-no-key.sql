select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "homepage" t0 where ((t0."featured_article" = $1::bigint and t0."headline" = $2::text) or (t0."featured_article" = $3::bigint and t0."headline" = $4::text) or (t0."featured_article" = $5::bigint and t0."headline" = $6::text) or (t0."featured_article" = $7::bigint and t0."headline" = $8::text) or (t0."featured_article", t0."headline") in (
      select * from unnest($9::bigint[], $10::text[])
    ) or (t0."featured_article", t0."headline") in (
      select * from unnest($11::bigint[], $12::text[])
    )) order by t0."id" limit 100::bigint
  ) t0
) r
-- ["list",null,null,null,null,null,null,null,null,[4],["y"],[],[]]
