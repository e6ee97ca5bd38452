select t0."body" as "body" from (
  select t0."body" from "articles" t0 order by t0."sort", t0."id" limit 200::bigint
) t0
-- ["objects"]
