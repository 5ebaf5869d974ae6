head -80 day.jsonl >d.2; sed -n 81,160p day.jsonl >d.1; tail -n +161 day.jsonl >d.0; weir replay now.yaml d.0 d.2 -q >/dev/null; weir explain 1 --line d.2:60 | head -20; weir explain 1 --line 60
