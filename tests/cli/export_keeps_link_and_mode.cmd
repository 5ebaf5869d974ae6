echo old > real.yaml; chmod 640 real.yaml; ln -s real.yaml link.yaml
weir export limits.yaml -o link.yaml
test -L link.yaml && stat -c %a real.yaml && weir check link.yaml && ls
