weir set nowhere.yaml a.b=1
