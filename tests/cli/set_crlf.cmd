sed 's/$/\r/' limits.yaml > dos.yaml; weir set dos.yaml --remove search search.rate=1/s; weir set dos.yaml search.status=503 && od -c dos.yaml | tail -4
