weir test limits.yaml nowhere.scn
