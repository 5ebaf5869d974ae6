weir test limits.yaml unknown_attribute.scn
