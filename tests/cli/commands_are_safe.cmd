name="a'\$(touch PWNED)'b.log"; cp day.jsonl "$name"
weir inspect "$name" | sed -n '/^next/,$p' | tee next
tail -n 1 next | sed 's/weir replay limits.yaml//' > words; bash -c "ls $(cat words)"
name="$(printf "a'\\\\\033'\$(touch PWNED)'.log")"; cp day.jsonl "$name"
weir inspect "$name" | tail -n 1 | tee next
sed 's/.*limits.yaml//' next > words; bash -c "set -- $(cat words); test -f \"\$1\" && echo found"
name="a'\$(touch PWNED)'b.xz"; printf '\375\067\172\130\132\000' > "$name"
weir inspect "$name"
ls PWNED
