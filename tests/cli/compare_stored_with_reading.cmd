weir replay now.yaml day.jsonl -q >/dev/null
for option in '--tz Europe/Berlin' '--trusted-proxies 10.0.0.0/8' '--sampled 1/2' '--max-ratio 3' '--warmup 1min' '--mode all=shadow'; do
weir compare recorded 1 $option; echo "status $?"
done
weir compare recorded 1 --jobs 1 --by plan -q | head -1
