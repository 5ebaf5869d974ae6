weir check limits.yaml --log nowhere.jsonl
