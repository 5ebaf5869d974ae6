weir set limits.yaml --add 'search/={ name: acme, match: { plan: pro }, rate: 9/s }' search/acme.note='"by contract: #7"' && weir set limits.yaml search.acme.rate=10/s description='For all.' --diff
