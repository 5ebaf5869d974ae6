{ echo 'not a request'; cat day.jsonl; } > part.jsonl
weir compare now.yaml next.yaml --log part.jsonl --sampled 1/10 --format csv --no-store | head -3
weir compare now.yaml next.yaml --log part.jsonl --sampled 1/10 --format csv -q > compared.csv; wc -l < compared.csv
weir report 2 --format csv | head -3
weir report 1 2 --format csv | head -3
