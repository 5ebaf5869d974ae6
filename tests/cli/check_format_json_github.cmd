weir check limits.yaml --json --format github; echo $?; weir check limits.yaml --json --format json --quiet | head -c 1
printf 'weir: 1\nname: p\n"fi\\nld\\r": 1\ntiers: {}\n' | weir check -; printf 'weir: 1\nname: p\nfield: 1\ntiers: {}\n' | weir check - --format github
