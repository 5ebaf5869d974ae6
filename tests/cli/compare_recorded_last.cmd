weir compare 3 recorded --db runs.db
