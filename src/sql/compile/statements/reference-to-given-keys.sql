select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "homepage" t0 where ((t0."featured_article" = $1::bigint and t0."headline" = $2::text) and t0."headline" is not null and not coalesce((t0."featured_article" = $3::bigint and t0."headline" = $4::text), false) and (t0."featured_article", t0."headline") in (
      select * from unnest($5::bigint[], $6::text[])
    ) and t0."headline" is not null and not coalesce((t0."featured_article", t0."headline") in (
      select * from unnest($7::bigint[], $8::text[])
    ), false)) order by t0."id" limit 100::bigint
  ) t0
) r
-- ["list",1,"ice",1,"a;b",[1,2],["ice","sea"],[3],["x"]]
