mkdir other; printf "api_key,plan\nk1,pro\n" > other/missing.csv
weir check --lookup-dir other no-lookup.yaml
