log() { printf '192.0.2.%s - - [28/Nov/2026:12:00:0%s +0000] "GET /a HTTP/1.1" 200 5 "-" "curl"\n' 1 1 2 2 3 3; }
{ head -c 5000000 /dev/zero; log; } > zeros.log
{ yes '' | head -n 2000; log; } > blank.log
{ printf /; head -c 5000000 /dev/zero | tr '\0' a; echo; log; } > long.log
for each in zeros blank long; do weir convert $each.log | cut -c 1-90; done
weir replay limits.yaml zeros.log --no-store | head -n 4
