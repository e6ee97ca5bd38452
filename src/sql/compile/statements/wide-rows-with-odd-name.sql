select t0."title"::text as "c0", t0."body"::text as "c1" from (
  select t0."title", t0."body" from "articles" t0 order by t0."sort", t0."id"
) t0
-- ["texts"]
