line='192.0.2.1 - - [28/Nov/2026:10:00:00 +0000] "GET /search HTTP/1.1" 200 5 "-" "c"'
{ echo "$line"; head -c 99000000 /dev/zero | tr '\0' '\n'; } | gzip -9n > bomb.gz
weir convert bomb.gz; echo $?
weir convert bomb.gz --max-ratio none | grep -c client_ip
weir convert bomb.gz --max-ratio 5000 --max-bytes 90M; echo $?
weir convert bomb.gz --max-ratio 0; echo $?
weir convert bomb.gz --max-bytes lots
