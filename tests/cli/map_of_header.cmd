printf '{"level":"info","ts":1764331200.%s,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.1","remote_port":"1","client_ip":"192.0.2.1","proto":"HTTP/1.1","method":"GET","host":"h","uri":"/a","headers":{"X-Api-Key":["key-one"],"Authorization":["Bearer s3cret"]}},"user_id":"","duration":0.001,"size":1,"status":200}\n' 1 2 3 > c.log
weir convert c.log --map api_key=http_x_api_key -q | head -n 1
weir convert c.log --map api_key=http_authorization --mask api_key -q | head -n 1 | sed 's/.*host/host/'
