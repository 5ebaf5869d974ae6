head -80 day.jsonl >d.2; sed -n 81,160p day.jsonl >d.1; tail -n +161 day.jsonl >d.0; weir replay now.yaml d.0 d.1 --no-store -q --rejects bad >/dev/null; cat bad
