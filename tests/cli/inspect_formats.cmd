{ for i in 1 2 3; do echo "192.0.2.1 - - [24/Nov/2025:10:00:0$i +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"c\""; done; echo '1763978404.123 45 192.0.2.9 TCP_MISS/200 512 GET http://example.com/a - DIRECT/192.0.2.8 text/html'; } > mixed.log
weir inspect mixed.log --log-format nginx-combined,squid | head -4
weir inspect mixed.log --log-format nginx-combined,squid --json | grep -A3 '"formats"'
weir replay now.yaml mixed.log --log-format nginx-combined,squid --no-store | grep -i formats
