select t0."headline" as "headline", to_hex(hashtextextended(row(t0."id")::text, 0)) as "content tag " from (
  select t0."headline", t0."id" from "homepage" t0 order by t0."id" limit 1::bigint
) t0
-- ["objects"]
