for i in 1 2 3; do echo "2026-11-28T10:00:0$i.5Z stdout F 192.0.2.$i GET /a 200"; done > pod.log
weir inspect pod.log --log-format '$remote_addr $request_method $uri $status' | head -8
for i in 1 2 3; do printf '{"log":"192.0.2.%s - - [28/Nov/2026:10:00:0%s +0000] \\"GET /a HTTP/1.1\\" 200 5 \\"-\\" \\"c\\"\\n","stream":"stdout","time":"2026-11-28T10:00:0%s.5Z"}\n' $i $i $i; done > docker.log
weir inspect docker.log | head -3
weir inspect docker.log --json | grep -E '"(told|confidence|wrapper|wrapped)"'
weir replay now.yaml pod.log --log-format '$remote_addr $request_method $uri $status' --no-store --db :memory: 2>&1 | grep -i wrapper
