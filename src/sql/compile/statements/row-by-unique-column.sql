select t0."id" as "id" from "authors" t0 where (t0."email" = $1::text and t0."age" > $2::bigint)
-- ["objects","a@b",1]
