mkdir "a,b:100%"
printf "weir: 1\nname: p\ntiers: { edge: [{ name: \"x\\n::error::y\", key: [], algorithm: nope, rate: 1/s }] }\n" >"a,b:100%/<p>\"&.yaml"
for format in github sarif junit; do weir check --format $format "a,b:100%/<p>\"&.yaml"; done
