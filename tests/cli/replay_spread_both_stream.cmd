weir replay now.yaml - --spread both --no-store </dev/null
