name=$(printf "a\033]0;X\007\n\302\233.yaml")
cp wrong.yaml "$name"
weir check "$name"
