mkdir edge
head -9 day.jsonl > edge/1.jsonl
tail -n +10 day.jsonl > edge/2.jsonl
printf '192.0.2.9 - - [28/Nov/2026:10:00:00 +0000] "GET /search HTTP/1.1" 200 5 "-" "c"\n' > app.log
printf 'logs: 1\ngroups:\n  - { name: edge, files: ["edge/*.jsonl"], clock: +1.5s }\n  - { files: app.log }\n' > d.logs.yaml
weir replay now.yaml d.logs.yaml --db runs.db | sed -n 2,9p
weir show 1 --db runs.db --json | grep -o '"clock": "[^"]*"'
weir explain 1 --db runs.db --request 3 | sed -n 1,5p
printf 'logs: 1\ngroups:\n  - { files: none.log, tz: Mars }\n  - { fils: app.log }\n' > d.logs.yaml
weir replay now.yaml d.logs.yaml --db runs.db
