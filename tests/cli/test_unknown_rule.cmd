weir test limits.yaml unknown_rule.scn
