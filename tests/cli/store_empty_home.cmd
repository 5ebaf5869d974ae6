unset HOME XDG_DATA_HOME; weir runs
