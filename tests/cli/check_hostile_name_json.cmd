name=$(printf "a\033]0;X\007\377.yaml")
cp wrong.yaml "$name"
weir check --json "$name"
