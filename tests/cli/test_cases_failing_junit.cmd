weir test limits.cases.yaml failing.cases.yaml failing.scn limits.yaml --format junit; weir test limits.yaml limits.cases.yaml failing.cases.yaml failing.scn --format junit
