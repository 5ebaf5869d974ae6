head -80 day.jsonl >d.2; sed -n 81,160p day.jsonl >d.1; tail -n +161 day.jsonl >d.0; weir compare --log d.0 --log d.2 now.yaml next.yaml --no-store | head -8
