mv limits.yaml real.yaml; chmod 640 real.yaml; ln -s real.yaml limits.yaml
weir set limits.yaml search.rate=3/min; test -L limits.yaml && stat -c %a real.yaml && grep 3/min real.yaml
