weir "$(printf "\033[2J")"
