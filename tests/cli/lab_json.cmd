weir lab fixed-window --json
