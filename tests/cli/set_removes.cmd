weir set limits.yaml --remove search --remove tiers.gateway --dry-run; weir check limits.yaml
