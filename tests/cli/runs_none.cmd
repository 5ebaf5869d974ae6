weir runs --db runs.db
