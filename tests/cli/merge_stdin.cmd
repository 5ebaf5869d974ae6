head -80 day.jsonl >d.2; sed -n 81,160p day.jsonl >d.1; tail -n +161 day.jsonl >d.0; cat d.1 | weir replay now.yaml d.2 - d.0 --no-store | sed -n '/log /p;/requests  /p;/rejected  /p;/note/p'
