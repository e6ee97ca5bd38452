select t0."id" as c0, t0."title" as c1, t0."body" as c2, t0."featured" as c3, t0."rating" as c4, t0."date_created" as c5, to_char(t0."embargo", 'YYYY-MM-DD"T"HH24:MI:SS') as c6 from (
  select t0."id", t0."title", t0."body", t0."featured", t0."rating", t0."date_created", t0."embargo" from "articles" t0 where t0."id" < $1::bigint order by t0."id"
) t0
-- [4]
