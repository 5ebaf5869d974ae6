{ echo 'not a request'; echo '{"no": 1}'; cat day.jsonl; } > part.jsonl
weir compare now.yaml next.yaml --log part.jsonl --mode all=shadow --warmup 20s --format github --no-store
